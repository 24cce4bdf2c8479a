/** An operation as OpenAPI describes it. */
import type { Schema } from "./schemas.ts";
import type { Requirement } from "./security.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly "application/json": { readonly schema: Schema; readonly example: unknown };
}

/** An answer, or a failure. */
export interface Answer {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

/** A callable operation: of the service, or of a webhook's receiver. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security: readonly Requirement[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** A body of this schema, with an example. */
export const content = (schema: Schema, example: unknown): Content => ({
  "application/json": { schema, example },
});
