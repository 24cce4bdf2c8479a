import type { Json } from "../json.ts";
import { LocalProblem } from "../problem.ts";
import { type FunctionDefinition, findFunction } from "./functions.ts";
import { checkAttribute } from "./intrinsics/references.ts";
import type { QueueDefinition } from "./queues.ts";
import type { Assembly, Stack } from "./read.ts";
import type { MappingDefinition } from "./sources.ts";

/** CloudFormation's limits for a template. */
const maximums = { resources: 500, outputs: 200 } as const;

/**
 * Rejects templates that CloudFormation would reject, including the parts that the runtime does not run: too
 * many resources or outputs, and references to resources and attributes that do not exist.
 */
export const checkTemplates = ({ stacks }: Assembly): void => {
  for (const stack of stacks) {
    checkCounts(stack);
    for (const { properties } of stack.resources.values()) checkReferences(properties, stack);
    for (const { Value } of Object.values(stack.outputs)) checkReferences(Value, stack);
  }
};

const checkCounts = ({ name, resources, outputs }: Stack): void => {
  const counts = { resources: resources.size, outputs: Object.keys(outputs).length };
  for (const kind of ["resources", "outputs"] as const)
    if (counts[kind] > maximums[kind])
      throw new LocalProblem(
        `${name}: Template format error: Number of ${kind}, ${counts[kind]}, is greater than maximum allowed, ${maximums[kind]}`,
      );
};

const checkReferences = (value: Json, stack: Stack): void => {
  if (Array.isArray(value)) for (const item of value) checkReferences(item, stack);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (key === "Ref" && typeof inner === "string") checkReference(inner, stack);
      else if (key === "Fn::GetAtt") checkGetAtt(inner, stack);
      else checkReferences(inner, stack);
    }
};

const checkReference = (name: string, stack: Stack): void => {
  if (name.startsWith("AWS::") || stack.resources.has(name) || stack.parameters.has(name)) return;
  throw unresolved(name, stack);
};

const checkGetAtt = (argument: Json, stack: Stack): void => {
  const [logicalId, ...path] = typeof argument === "string" ? argument.split(".") : parts(argument);
  const resource = stack.resources.get(String(logicalId));
  if (resource === undefined) throw unresolved(String(logicalId), stack);
  checkAttribute(resource, path.join("."));
};

/** Rejects event sources of queues that Lambda would reject. */
export const checkMappings = (
  mappings: readonly MappingDefinition[],
  queues: readonly QueueDefinition[],
  functions: readonly FunctionDefinition[],
): void => {
  const deployed = functions.map((definition) => ({ definition }));
  for (const { functionName, queueArn } of mappings) {
    const { name, timeoutSeconds } = findFunction(deployed, functionName).definition;
    const visibility = queues.find(({ arn }) => arn === queueArn)?.visibilityTimeoutSeconds ?? Infinity;
    if (visibility < timeoutSeconds)
      throw new LocalProblem(
        `${name}: Queue visibility timeout: ${visibility} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
      );
  }
};

const parts = (argument: Json): readonly Json[] => (Array.isArray(argument) ? argument : [argument]);

const unresolved = (name: string, stack: Stack): LocalProblem =>
  new LocalProblem(
    `${stack.name}: Template format error: Unresolved resource dependencies [${name}] in the template`,
  );
