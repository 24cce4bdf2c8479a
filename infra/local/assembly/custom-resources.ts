import * as z from "zod";
import { type Json, type JsonObject, jsonSchema } from "../json.ts";
import { LocalProblem } from "../problem.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";
import type { Resource } from "./read.ts";

/** A resource that a Lambda function creates, updates and deletes. */
export interface CustomResource {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  /** The ARN of the function. */
  readonly serviceToken: string;
  /** As the function receives them: CloudFormation converts numbers and booleans to texts, nested or not. */
  readonly properties: JsonObject;
}

const customSchema = z.object({ ServiceToken: z.string() });

const isCustom = ({ type }: Resource): boolean =>
  type.startsWith("Custom::") || type === "AWS::CloudFormation::CustomResource";

export const readCustomResources = (resolver: Resolver): CustomResource[] =>
  resolver.matching(isCustom).map((resource) => {
    const { ServiceToken: serviceToken } = resolver.read(resource, customSchema);
    if (!serviceToken.includes(":lambda:"))
      throw new LocalProblem(
        `${titleOf(resource)} is not created by a function, which the local runtime needs.`,
      );
    const { ServiceTimeout: _, ...properties } = resolver.read(resource, everyProperty(resource));
    const { stack, logicalId, type } = resource;
    return { stack: stack.name, logicalId, type, serviceToken, properties: asTexts(properties) };
  });

const everyProperty = ({ properties }: Resource) =>
  z.object(Object.fromEntries(Object.keys(properties).map((name) => [name, jsonSchema])));

const asTexts = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, asText(value)]));

function asText(value: Json): Json {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(asText);
  return typeof value === "object" && value !== null ? asTexts(value) : value;
}
