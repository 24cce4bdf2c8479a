/** One endpoint as an OpenAPI operation. */
import * as z from "zod/mini";
import { maxListed } from "../../../shared/common/problem.ts";
import { dryRunParameter } from "../../../shared/http/dry-run.ts";
import { isRetriable, takesDryRun } from "../../../shared/http/endpoint.ts";
import { readsVersion } from "../../../shared/http/versions.ts";
import { type Area, type EndpointContract, routesOf } from "../../../shared/runtime/contract.ts";
import { inDryRun } from "./dry-runs.ts";
import { answers } from "./examples/answers.ts";
import { requests } from "./examples/requests.ts";
import { failuresOf } from "./failures.ts";
import { dryRun, etag, idempotencyKey, ifMatch, replayed, requestId, requestLimits } from "./headers.ts";
import { content, type Operation, type Parameter } from "./operation.ts";
import { type Definitions, differing, exampleOf, referenceTo, type Schema } from "./schemas.ts";
import { requirements } from "./security.ts";
import { operations } from "./words/operations.ts";

/**
 * The name of a call in clients: `createOrders`, `wmsRecount`, `mobileLogin`. `key` is its module below
 * `functions`.
 */
export function operationIdOf(key: string): string {
  const parts = key.split("/");
  const file = parts.at(-1) ?? key;
  const area = parts.findLast((part) => prefixed.has(part));
  return camelCase(area === undefined ? file : `${area}-${file}`);
}

/** Folders whose name precedes those of their calls. */
const prefixed: ReadonlySet<string> = new Set(["wms", "v2", "mobile", "pro"]);

const camelCase = (text: string): string =>
  text.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const abbreviations: ReadonlySet<string> = new Set(["oms", "wms", "v2", "pro"]);

/** The group of a call: the folder of its module. */
export const tagOf = (key: string): string => {
  const folder = key.split("/").slice(0, -1).at(-1) ?? key;
  return abbreviations.has(folder) ? folder.toUpperCase() : titled(folder);
};

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

/** A day may be sent as a date-time, too. */
const asSent = (schema: Schema): Schema =>
  schema.format === "date"
    ? { anyOf: ["date", "date-time"].map((format) => ({ type: "string", format })) }
    : schema;

const parametersIn = (
  place: "path" | "query",
  schema: z.core.$ZodType | undefined,
  definitions: Definitions,
  name: string,
): readonly Parameter[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = definitions.convert(schema, "input", name);
  return Object.entries(properties).map(([field, converted]) => {
    const { description = "", examples: [example] = [], ...rest } = converted;
    return {
      name: field,
      in: place,
      ...((place === "path" || required.includes(field)) && { required: true }),
      description,
      schema: asSent(rest),
      ...(example === undefined || (place === "query" && !required.includes(field)) ? {} : { example }),
    };
  });
};

const warnings: Readonly<Record<string, Schema>> = {
  warnings: {
    type: "array",
    description:
      "Fields of the body that were ignored: those that the call does not take, and read-only ones with another value than the record has. Only there if there are any.",
    items: referenceTo("Place"),
    maxItems: maxListed,
  },
  warnings_total: {
    type: "integer",
    description: "How many fields were ignored. Only there if `warnings` does not list all of them.",
  },
};

const markOfDryRun: Readonly<Record<string, Schema>> = {
  [dryRunParameter]: {
    type: "boolean",
    enum: [true],
    description:
      "The call was a dry run: nothing was stored, and the ids of new records, their `order_api`, `nbtybarcode` and `secret` are null. Only there then.",
  },
};

const withFields = (schema: Schema, fields: Readonly<Record<string, Schema>>): Schema => {
  const { properties, anyOf } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: { ...properties, ...fields } }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((choice) => withFields(choice, fields)) }),
  };
};

/**
 * The body of a success. If the call takes a body, warnings about ignored fields are listed beside it; if it
 * may be a dry run, the body says so. With `hasDryRuns`, bodies of dry runs with null are separate
 * alternatives.
 */
function answerOf(
  endpoint: EndpointContract,
  definitions: Definitions,
  name: string,
  hasDryRuns: boolean,
): Schema {
  const { request, response } = endpoint;
  const record = definitions.convert(response, "output", name);
  const sent = "body" in request.shape ? warnings : {};
  if (!takesDryRun(endpoint)) return withFields(record, sent);
  const marked = { ...sent, ...markOfDryRun };
  const dry = hasDryRuns ? inDryRun(name, record, definitions) : undefined;
  if (dry === undefined) return withFields(record, marked);
  const dryChoices = choicesOf(withFields(dry, marked)).map(requiresMark);
  return { anyOf: [...choicesOf(withFields(record, sent)), ...dryChoices] };
}

const choicesOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? [schema];

const requiresMark = (schema: Schema): Schema => ({
  ...schema,
  required: [...(schema.required ?? []), dryRunParameter],
});

/** A body as clients should send it. A list's query that is sent as a body would show only an object. */
function inFull(body: z.core.$ZodType): z.core.$ZodType {
  const inner = body instanceof z.ZodMiniPrefault ? body._zod.def.innerType : body;
  return inner instanceof z.ZodMiniPipe && inner._zod.def.out instanceof z.ZodMiniObject
    ? inner._zod.def.out
    : body;
}

/** The areas whose callers are accounts, whose requests may be limited. */
const ofAccounts: ReadonlySet<Area> = new Set(["oms", "v2"]);

/** The paths of an endpoint, each with its operation. */
export function pathsOf(
  key: string,
  endpoint: EndpointContract,
  definitions: Definitions,
  hasDryRuns: boolean,
): readonly { readonly path: string; readonly method: string; readonly operation: Operation }[] {
  const name = operationIdOf(key);
  const { request, response, summary, auth } = endpoint;
  const { params, query, body } = request.shape;
  const retriable = isRetriable(endpoint);
  const kept = retriable ? replayed : {};
  const limited = ofAccounts.has(auth) ? requestLimits : {};
  const sent = body && definitions.convert(inFull(body), "input", name);
  const answer = answerOf(endpoint, definitions, name, hasDryRuns);
  const answered = differing(exampleOf(answer, "output", definitions), answers[name] ?? {});
  const operation: Omit<Operation, "operationId"> = {
    summary,
    description: operations[name] ?? summary,
    tags: [tagOf(key)],
    security: requirements[auth],
    parameters: [
      ...parametersIn("path", params, definitions, name),
      ...parametersIn("query", query, definitions, name),
      ...(takesDryRun(endpoint) ? [dryRun] : []),
      ...(retriable ? [idempotencyKey] : []),
      ...(endpoint.takesVersion === true ? [ifMatch] : []),
    ],
    ...(sent === undefined
      ? {}
      : {
          requestBody: {
            required: body?._zod.optin === undefined,
            content: content(sent, requests[name] ?? exampleOf(sent, "input", definitions)),
          },
        }),
    responses: {
      200: {
        description: "Success.",
        headers: { ...requestId, ...kept, ...limited, ...(readsVersion(endpoint) ? etag : {}) },
        content: content(answer, z.parse(response, answered)),
      },
      ...failuresOf(endpoint, kept, limited),
    },
  };
  return routesOf(endpoint).map(({ method, path }, position) => ({
    path,
    method: method.toLowerCase(),
    operation: { operationId: position === 0 ? name : `${name}At${position + 1}`, ...operation },
  }));
}
