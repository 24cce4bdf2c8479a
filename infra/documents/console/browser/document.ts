/** The calls of the OpenAPI document, as much of them as a form needs. */
import { ServiceError } from "order-inventory-warehouse-client";
import { apiPath } from "./parts/session.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly isDryRun: boolean;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** A body that the document shows, if the call has one. */
  readonly example: unknown;
}

/** The value at a path of a document, with references followed. */
function at(document: unknown, value: unknown, ...path: readonly string[]): unknown {
  const [step, ...rest] = path;
  const found = resolved(document, value);
  if (step === undefined) return found;
  return typeof found === "object" && found !== null
    ? at(document, Reflect.get(found, step), ...rest)
    : undefined;
}

function resolved(document: unknown, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
  return at(document, document, ...String(value.$ref).replace(/^#\//, "").split("/"));
}

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

function operationOf(document: unknown, method: string, path: string, value: unknown): Operation {
  const of = (...steps: readonly string[]) => at(document, value, ...steps);
  const json = of("requestBody", "content", "application/json");
  const [named] = entries(at(document, json, "examples"));
  const example =
    at(document, json, "example") ??
    (named && at(document, named[1], "value")) ??
    at(document, json, "schema", "examples", "0");
  const hasBody = json !== undefined;
  return {
    id: String(of("operationId")),
    method: method.toUpperCase(),
    path,
    summary: String(of("summary")),
    parameters: entries(of("parameters")).flatMap(([, parameter]) => parameterOf(document, parameter)),
    example: hasBody ? (example ?? {}) : undefined,
  };
}

function parameterOf(document: unknown, value: unknown): readonly Parameter[] {
  const place = at(document, value, "in");
  if (place !== "path" && place !== "query" && place !== "header") return [];
  const name = String(at(document, value, "name"));
  return [
    { name, in: place, isRequired: at(document, value, "required") === true, isDryRun: name === "dry_run" },
  ];
}

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/** Reads the document that the service serves. */
export async function readOperations(signal: AbortSignal): Promise<readonly Operation[]> {
  const answer = await fetch(`${apiPath}/openapi.json`, { signal });
  if (!answer.ok) throw new ServiceError({ message: "The document can't be read", status: answer.status });
  const document: unknown = await answer.json();
  return entries(at(document, document, "paths")).flatMap(([path, calls]) =>
    entries(calls)
      .filter(([method]) => methods.has(method))
      .map(([method, value]) => operationOf(document, method, path, value)),
  );
}
