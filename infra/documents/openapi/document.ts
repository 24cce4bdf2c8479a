/** The OpenAPI documents, generated from the schemas with which the service itself runs. */
import { basename, dirname } from "node:path/posix";
import { functions } from "../../../functions/index.ts";
import type { DocumentName } from "../../../shared/runtime/contract.ts";
import { documents } from "./areas.ts";
import { failureSchemas, recountSchemas } from "./failure-schemas.ts";
import type { Operation } from "./operation.ts";
import { pathsOf, tagOf } from "./operations.ts";
import { Definitions } from "./schemas.ts";
import { requirements, schemes } from "./security.ts";
import { webhooksOf, webhooksTag } from "./webhooks.ts";

const version = "4.0.0";

/**
 * The folders of an area's calls, and the verbs of a folder's calls, in the order in which a client needs
 * them. Others follow alphabetically.
 */
const firstFolders = ["oms", "oms/orders", "oms/simulations", "oms/inventory/products"];
const firstVerbs = ["ping", "create", "list", "get", "update", "patch"];

/** A text that sorts the calls of an area. `key` is the module of a call: `oms/orders/get-order`. */
function placeOf(key: string): string {
  const [folder, file] = [dirname(key), basename(key)];
  const [verb = file] = file.split("-", 1);
  return [rank(firstFolders, folder), folder, rank(firstVerbs, verb), file].join(" ");
}

const rank = (first: readonly string[], name: string): number =>
  first.includes(name) ? first.indexOf(name) : first.length;

const calls = Object.entries(functions)
  .flatMap(([key, contract]) => (contract.type === "endpoint" ? [{ key, endpoint: contract }] : []))
  .toSorted((left, right) => (placeOf(left.key) < placeOf(right.key) ? -1 : 1));

/**
 * The OpenAPI 3.1 document of some areas. Without `hasDryRuns`, answers are only those of real calls:
 * otherwise generated clients would make every caller of a write check ids for null, and readers would see
 * each answer twice.
 */
export function documentOf(name: DocumentName, { hasDryRuns = true } = {}) {
  const { title, description, areas } = documents[name];
  const definitions = new Definitions();
  const paths: Record<string, Record<string, Operation>> = {};
  const tags = new Set<string>();
  const described = areas.flatMap((area) => calls.filter(({ endpoint }) => endpoint.auth === area));
  for (const { key, endpoint } of described) {
    tags.add(tagOf(key));
    for (const { path, method, operation } of pathsOf(key, endpoint, definitions, hasDryRuns))
      paths[path] = { ...paths[path], [method]: operation };
  }
  // Only this area's calls return events, so only its document needs their schemas.
  const hasEvents = areas.includes("oms");
  const used = new Set(areas.flatMap((area) => requirements[area].flatMap(Object.keys)));
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
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
