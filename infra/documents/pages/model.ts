/** The OpenAPI document as the pages read it. */
import * as z from "zod";
import type { DocumentName } from "../../../shared/lambda/contract.ts";
import { documentOf } from "../openapi/document.ts";

const fieldSchema = z.object({
  $ref: z.optional(z.string()),
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  format: z.optional(z.string()),
  description: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  const: z.optional(z.unknown()),
  default: z.optional(z.unknown()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), fieldSchema));
  },
  get items() {
    return z.optional(fieldSchema);
  },
  get anyOf() {
    return z.optional(z.array(fieldSchema));
  },
});
/** A JSON Schema, as far as pages show it. */
export type Field = z.output<typeof fieldSchema>;

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.optional(z.boolean()),
  description: z.string(),
  schema: fieldSchema,
  example: z.optional(z.json()),
});
export type Parameter = z.output<typeof parameterSchema>;

const contentSchema = z.object({
  "application/json": z.object({ schema: fieldSchema, example: z.json() }),
});

const responseSchema = z.object({ description: z.string(), content: z.optional(contentSchema) });

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameterSchema),
  requestBody: z.optional(z.object({ content: contentSchema })),
  responses: z.record(z.string(), responseSchema),
});
export type Operation = z.output<typeof operationSchema>;

const pathsSchema = z.record(z.string(), z.record(z.string(), operationSchema));

const documentSchema = z.object({
  info: z.object({ title: z.string(), description: z.string(), version: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: pathsSchema,
  webhooks: z.optional(pathsSchema),
  components: z.object({
    schemas: z.record(z.string(), fieldSchema),
    securitySchemes: z.record(
      z.string(),
      z.object({ name: z.optional(z.string()), description: z.string() }),
    ),
  }),
});

export type Document = z.output<typeof documentSchema>;

/** A document without the answers to dry runs, which are those of the calls with a few nulls. */
export const parsedDocument = (name: DocumentName): Document =>
  documentSchema.parse(documentOf(name, { hasDryRuns: false }));

/** A call, or what is posted to a webhook, which has no path. */
export interface Call extends Operation {
  readonly method: string;
  readonly path?: string;
  /** Other paths of the same call. */
  readonly alsoAt: readonly string[];
  /** The headers of its credentials. */
  readonly credentials: readonly string[];
}

/** The calls about one kind of record, which a page shows. */
export interface Group {
  readonly name: string;
  readonly slug: string;
  readonly calls: readonly Call[];
}

export interface Reference {
  readonly title: string;
  readonly version: string;
  readonly groups: readonly Group[];
  readonly records: Readonly<Record<string, Field>>;
}

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The same call at another path. */
const again = /At\d$/;

/** What the pages show of a document. */
export function referenceOf(name: DocumentName): Reference {
  const { paths, webhooks = {}, components, info, tags } = parsedDocument(name);
  const headerOf = (scheme: string) => components.securitySchemes[scheme]?.name ?? "Authorization";
  const all = [...callsIn(paths), ...callsIn(webhooks)];
  const calls = all
    .filter(({ operation }) => !again.test(operation.operationId))
    .map(({ path, method, operation }): Call => {
      const { operationId, security } = operation;
      const stated = security.find((one) => "Key" in one) ?? security[0] ?? {};
      return {
        ...operation,
        method,
        ...(path.startsWith("/") && { path }),
        alsoAt: all
          .filter((one) => one.operation.operationId.replace(again, "") === operationId && one.path !== path)
          .map((one) => one.path),
        credentials: Object.keys(stated).map(headerOf),
      };
    });
  const groups = tags.map((tag) => ({
    name: tag.name,
    slug: slugOf(tag.name),
    calls: calls.filter((call) => call.tags[0] === tag.name),
  }));
  return { title: info.title, version: info.version, groups, records: components.schemas };
}

/** The operations at paths, with their methods in capitals. */
export const callsIn = (paths: z.output<typeof pathsSchema>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
