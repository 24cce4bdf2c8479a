/** Compares the answers that tests receive with the OpenAPI document: their statuses, bodies and headers. */

import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod";
import { functions } from "../../../functions/index.ts";
import { documentOf } from "../../../infra/documents/openapi/document.ts";
import { Router } from "../../../infra/local/index.ts";
import { routesOf } from "../../../shared/runtime/contract.ts";

/** An answer as it came; `text` is its body. */
export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const header = z.looseObject({
  required: z.optional(z.boolean()),
  schema: z.looseObject({ type: z.string() }),
});
const response = z.looseObject({ headers: z.optional(z.record(z.string(), header)) });
const operation = z.looseObject({ responses: z.record(z.string(), response) });
const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/**
 * What serves a request: an operation, found by its pointer in the document; a page or the health, which no
 * document describes; or nothing.
 */
type Served = (z.output<typeof operation> & { readonly pointer: string }) | "page" | "nothing";

/** A step of a JSON pointer, as it stands in a reference. */
const step = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/**
 * The document with an end to each of its objects: a field that the schema does not name is an error here. To
 * clients the document leaves objects open, since a later version may have more fields. A schema that says so
 * itself stays open.
 */
const closedDocument = () =>
  documentSchema.parse(
    JSON.parse(JSON.stringify(documentOf("all")), (_, value: unknown) =>
      typeof value === "object" && value !== null && "properties" in value
        ? { additionalProperties: false, ...value }
        : value,
    ),
  );

const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": (text: string) => text.includes("T") && !Number.isNaN(Date.parse(text)),
};

/** The document, ready for comparisons. A schema is compiled when the first answer of its kind comes. */
function prepare() {
  const document = closedDocument();
  // Compiling costs more here than comparing, so code is made plainly, and once for each schema that others
  // name.
  const plain = { code: { optimize: false }, inlineRefs: false };
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, formats, ...plain });
  ajv.addSchema(document, "document");
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      key: `${method.toUpperCase()} ${path}`,
      target: { responses, pointer: `#/paths/${step(path)}/${method}` },
    })),
  );
  const pages = Object.values(functions).flatMap((contract) =>
    contract.type === "page" || contract.type === "health-check"
      ? routesOf(contract).map(({ method, path }) => ({ key: `${method} ${path}`, target: "page" as const }))
      : [],
  );
  const fallback = { key: "$default", target: "nothing" as const };
  return { ajv, router: new Router<Served>([...operations, ...pages, fallback]) };
}

let prepared: ReturnType<typeof prepare> | undefined;
/** One for all files of a worker, since compiling schemas takes long. */
const all = () => {
  prepared ??= prepare();
  return prepared;
};

/** What of a body does not fit the schema that a pointer of the document leads to. */
const schemaFaults = (text: string, pointer: string): readonly string[] => {
  const { ajv } = all();
  const fits = ajv.getSchema(`document${pointer}`);
  if (fits === undefined) return [`the document has no ${pointer}`];
  fits(JSON.parse(text));
  return (fits.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};

const bodyFaults = ({ headers, text }: Answered, pointer: string): readonly string[] =>
  headers.get("content-type") === "application/json"
    ? schemaFaults(text, pointer)
    : ["it is not application/json"];

const headerFaults = (
  { headers }: Answered,
  described: z.output<typeof response>["headers"] = {},
): readonly string[] =>
  Object.entries(described).flatMap(([name, { required = false, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    const read = schema.type === "integer" ? Number(value) : value;
    return all().ajv.validate(schema, read) ? [] : [`the header ${name} must not be ${value}`];
  });

/** What is wrong with the answer of the fallback: no document names its calls. */
const unservedFaults = (answer: Answered): readonly string[] => {
  const { status, method, headers } = answer;
  const expected = method === "OPTIONS" ? [204, 404] : [404, 405];
  const isAllowed = status === 404 || headers.has("allow");
  return [
    ...(expected.includes(status) ? [] : [`nothing serves it, so it must be ${expected.join(" or ")}`]),
    ...(isAllowed ? [] : ["the header allow is missing"]),
    ...(status === 204 || method === "HEAD" ? [] : bodyFaults(answer, "#/components/schemas/Failure")),
  ];
};

function faultsOf(answer: Answered): readonly string[] {
  const path = decodeURIComponent(new URL(answer.url).pathname);
  const isHead = answer.method === "HEAD";
  const method = isHead ? "GET" : answer.method;
  const served = all().router.match(method, path)?.target ?? "nothing";
  if (served === "page") return [];
  if (served === "nothing") return unservedFaults(answer);
  const described = served.responses[answer.status];
  if (described === undefined) return ["the document does not name the status"];
  const faults = headerFaults(answer, described.headers);
  if (isHead) return answer.text === "" ? faults : ["an answer to HEAD has no body", ...faults];
  const pointer = `${served.pointer}/responses/${answer.status}/content/application~1json/schema`;
  return [...faults, ...bodyFaults(answer, pointer)];
}

/** @throws where the OpenAPI document does not describe the answer */
export function mustBeDocumented(answer: Answered): void {
  const faults = faultsOf(answer);
  if (faults.length === 0) return;
  const { method, url, status, text } = answer;
  throw new Error(
    `${method} ${url} was answered ${status} as the OpenAPI document does not describe it (mend infra/documents/openapi, or the ` +
      `answer): ${faults.join("; ")}. The body: ${text.slice(0, 1000)}`,
  );
}

/** @throws where the OpenAPI document does not describe the body that a webhook's receiver got */
export function mustBeDocumentedEvent(body: string): void {
  const { type } = z.looseObject({ type: z.string() }).parse(JSON.parse(body));
  const faults = schemaFaults(
    body,
    `#/webhooks/${step(type)}/post/requestBody/content/application~1json/schema`,
  );
  if (faults.length > 0)
    throw new Error(`the document does not describe this ${type}: ${faults.join("; ")}. The body: ${body}`);
}
