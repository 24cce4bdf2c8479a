/** The OpenAPI documents: what the service takes and answers, made of what the service itself runs on. */
import { functions } from "../../../functions/index.ts";
import type { DocumentName } from "../../../shared/lambda/contract.ts";
import { documents } from "./areas.ts";
import { failureSchemas, recountSchemas } from "./failure-schemas.ts";
import { pathsOf, tagOf } from "./operations.ts";
import { Definitions } from "./schemas.ts";
import { requirements, schemes } from "./security.ts";
import { webhooksOf, webhooksTag } from "./webhooks.ts";

const version = "4.0.0";

/** The OpenAPI 3.1 document of some areas. */
export function documentOf(name: DocumentName) {
  const described = documents[name];
  const { title, areas } = described;
  const definitions = new Definitions();
  const paths: Record<string, Record<string, object>> = {};
  const tags = new Set<string>();
  for (const [key, endpoint] of Object.entries(functions)) {
    if (endpoint.type !== "endpoint" || !areas.includes(endpoint.auth)) continue;
    tags.add(tagOf(key));
    for (const { path, method, operation } of pathsOf(key, endpoint, definitions))
      paths[path] = { ...paths[path], [method]: operation };
  }
  // Only the calls of this area ask for events, and so have their schemas in the document.
  const hasEvents = areas.includes("oms");
  const used = new Set(areas.flatMap((area) => requirements[area].flatMap(Object.keys)));
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      description: described.description,
      contact: { name: "The operator of the service; quote the `x-request-id` of the answer" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The service that serves this document." }],
    tags: [
      ...[...tags].map((tag) => ({ name: tag, description: `Calls of ${tag}.` })),
      ...(hasEvents
        ? [{ name: webhooksTag, description: "What the service posts to an account's webhooks." }]
        : []),
    ],
    paths,
    ...(hasEvents ? { webhooks: webhooksOf(definitions) } : {}),
    components: {
      securitySchemes: Object.fromEntries(Object.entries(schemes).filter(([scheme]) => used.has(scheme))),
      schemas: { ...definitions.all(), ...failureSchemas, ...(areas.includes("wms") ? recountSchemas : {}) },
    },
  };
}
