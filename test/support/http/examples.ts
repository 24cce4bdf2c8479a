/** The calls that the OpenAPI document shows with a body. */
import * as z from "zod";
import { documentOf } from "../../../infra/documents/openapi/document.ts";

const shownContent = z.object({
  content: z.object({ "application/json": z.object({ example: z.json() }) }),
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), example: z.optional(z.unknown()) })),
  requestBody: z.optional(shownContent),
  responses: z.object({ 200: shownContent }),
});
const shown = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** A call as the document shows it. `route` is its path as it is described, `path` has the examples in it. */
export interface ShownCall {
  readonly operationId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: unknown;
}

/** Every call that takes a body, in the document's order. */
export const shownCalls = (): readonly ShownCall[] =>
  Object.entries(shown.parse(documentOf("all")).paths).flatMap(([route, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId, parameters, requestBody, responses }]) => {
      if (requestBody === undefined) return [];
      const params = Object.fromEntries(
        parameters.filter((one) => one.in === "path").map(({ name, example }) => [name, String(example)]),
      );
      const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(params[name] ?? ""),
      );
      const body = requestBody.content["application/json"].example;
      const answer = responses[200].content["application/json"].example;
      return [{ operationId, method: method.toUpperCase(), route, path, params, body, answer }];
    }),
  );
