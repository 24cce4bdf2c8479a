/** The calls of the OpenAPI document, as much of them as a form needs. */
import { ServiceError } from "order-inventory-warehouse-client";
import * as z from "zod/mini";
import { apiPath } from "./parts/session.ts";

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.optional(z.boolean()),
});
export type Parameter = z.output<typeof parameter>;

const content = z.object({ "application/json": z.object({ example: z.unknown() }) });

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(parameter),
  requestBody: z.optional(z.object({ content })),
});

export interface Operation extends z.output<typeof operation> {
  readonly method: string;
  readonly path: string;
}

const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** Reads the document that the service serves. */
export async function readOperations(signal: AbortSignal): Promise<readonly Operation[]> {
  const answer = await fetch(`${apiPath}/openapi.json`, { signal });
  if (!answer.ok) throw new ServiceError({ message: "The document can't be read", status: answer.status });
  const { paths } = z.parse(document, await answer.json());
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ ...call, path, method: method.toUpperCase() })),
  );
}
