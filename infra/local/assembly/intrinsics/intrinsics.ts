import type { Json, JsonObject } from "../../json.ts";
import { LocalProblem } from "../../problem.ts";

/** The values of the names in a template. */
export interface Scope {
  /** `Ref`: a resource or a pseudo parameter; `undefined` for `AWS::NoValue`. */
  reference(name: string): Json | undefined;
  attribute(logicalId: string, attribute: string): Json;
  importValue(exportName: string): Json;
}

type Intrinsic = (argument: Json, scope: Scope) => Json | undefined;

/**
 * Replaces the intrinsic functions in a template value by their values. Returns `undefined` for
 * `AWS::NoValue`. An unknown intrinsic is rejected by its name: a guess could let something run here that
 * does not run in a deployment.
 */
export const resolveValue = (value: Json, scope: Scope): Json | undefined => {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, scope)).filter(isPresent);
  if (typeof value !== "object" || value === null) return value;
  const [only, ...others] = Object.entries(value);
  if (only !== undefined && others.length === 0 && isIntrinsic(only[0])) {
    const intrinsic = intrinsics[only[0]];
    if (intrinsic === undefined)
      throw new LocalProblem(`The local runtime does not know the intrinsic "${only[0]}".`);
    return intrinsic(only[1], scope);
  }
  return resolveObject(value, scope);
};

const resolveObject = (value: JsonObject, scope: Scope): JsonObject => {
  const resolved: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const there = resolveValue(item, scope);
    if (there !== undefined) resolved[key] = there;
  }
  return resolved;
};

/** `Condition` is an intrinsic only beside `Fn::If`. In policies it is an ordinary key, and never alone. */
const isIntrinsic = (key: string): boolean => key === "Ref" || key.startsWith("Fn::");

const isPresent = (value: Json | undefined): value is Json => value !== undefined;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => scope.reference(text(argument, "Ref")),
  "Fn::GetAtt": (argument, scope) => {
    const [logicalId, ...path] =
      typeof argument === "string" ? argument.split(".") : list(argument, "Fn::GetAtt", scope);
    return scope.attribute(
      text(logicalId, "Fn::GetAtt"),
      path.map((part) => text(part, "Fn::GetAtt")).join("."),
    );
  },
  "Fn::Join": (argument, scope) => {
    const [separator, parts] = list(argument, "Fn::Join", scope);
    return list(parts, "Fn::Join", scope)
      .map((part) => scalar(part, "Fn::Join"))
      .join(text(separator, "Fn::Join"));
  },
  "Fn::Split": (argument, scope) => {
    const [separator, source] = list(argument, "Fn::Split", scope);
    return text(source, "Fn::Split").split(text(separator, "Fn::Split"));
  },
  "Fn::Select": (argument, scope) => {
    const [index, items] = list(argument, "Fn::Select", scope);
    const chosen = list(items, "Fn::Select", scope)[Number(index)];
    if (chosen === undefined) throw malformed("Fn::Select");
    return chosen;
  },
  "Fn::ImportValue": (argument, scope) =>
    scope.importValue(text(resolveValue(argument, scope), "Fn::ImportValue")),
  "Fn::Sub": (argument, scope) =>
    text(argument, "Fn::Sub").replace(/\$\{([^}]+)\}/g, (_, name: string) =>
      scalar(scope.reference(name), "Fn::Sub"),
    ),
};

const list = (value: Json | undefined, intrinsic: string, scope: Scope): Json[] => {
  const resolved = value === undefined ? undefined : resolveValue(value, scope);
  if (!Array.isArray(resolved)) throw malformed(intrinsic);
  return resolved;
};

const text = (value: Json | undefined, intrinsic: string): string => {
  if (typeof value !== "string") throw malformed(intrinsic);
  return value;
};

const scalar = (value: Json | undefined, intrinsic: string): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return text(value, intrinsic);
};

const malformed = (intrinsic: string): LocalProblem =>
  new LocalProblem(`A template uses the intrinsic "${intrinsic}" in a way the local runtime does not know.`);
