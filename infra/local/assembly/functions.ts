import * as z from "zod";
import { LocalProblem } from "../problem.ts";
import { Permissions } from "../proxy/iam.ts";
import type { Statement } from "./grants.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";
import type { Assembly, Resource } from "./read.ts";

const functionSchema = z.object({
  Handler: z.string(),
  Runtime: z.string().startsWith("nodejs"),
  Code: z.object({ S3Key: z.string() }),
  Role: z.string(),
  Timeout: z.number().min(1).max(900).default(3),
  MemorySize: z.number().min(128).max(10_240).default(128),
  LoggingConfig: z.object({ LogGroup: z.string().optional() }).optional(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()).default({}) }).optional(),
});

/** Maximum bytes of a function's environment variables in Lambda, as JSON. */
const maxEnvironmentBytes = 4096;

export interface FunctionDefinition {
  /** Short name for people, such as `letters/send`; see `shortName`. */
  readonly name: string;
  /** Unique in the deployment. */
  readonly functionName: string;
  readonly logicalId: string;
  readonly arn: string;
  readonly role: string;
  readonly logGroup: string;
  readonly folder: string;
  /** `index.handler`: file without extension, and the export. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** What its role grants, and which of it the function has used. */
  readonly permissions: Permissions;
}

export const readFunctions = (
  resolver: Resolver,
  assembly: Assembly,
  grants: ReadonlyMap<string, readonly Statement[]>,
): FunctionDefinition[] =>
  resolver.resources("AWS::Lambda::Function").map((resource) => {
    const stated = resolver.read(resource, functionSchema);
    const role = stated.Role.slice(stated.Role.lastIndexOf("/") + 1);
    const functionName = resolver.name(resource);
    const environment = stated.Environment?.Variables ?? {};
    checkEnvironment(resource, environment);
    const logGroup = stated.LoggingConfig?.LogGroup ?? `/aws/lambda/${functionName}`;
    return {
      name: shortName(resource, logGroup),
      functionName,
      logGroup,
      logicalId: resource.logicalId,
      arn: String(resolver.attribute(resource, "Arn")),
      role,
      folder: codeFolder(resource, stated.Code.S3Key, assembly),
      handler: stated.Handler,
      timeoutSeconds: stated.Timeout,
      memoryMegabytes: stated.MemorySize,
      environment,
      permissions: new Permissions(grants.get(role) ?? []),
    };
  });

const checkEnvironment = (resource: Resource, environment: Readonly<Record<string, string>>): void => {
  const bytes = Buffer.byteLength(JSON.stringify(environment));
  if (bytes > maxEnvironmentBytes)
    throw new LocalProblem(
      `${titleOf(resource)}: Lambda was unable to configure your environment variables because the environment variables ` +
        `you have provided exceeded the 4KB limit. They take ${bytes} bytes as JSON.`,
    );
};

/**
 * The log group `/aws/lambda/<stack>/letters/send` ends with the short name. Without one, the logical id
 * serves.
 */
const shortName = ({ stack, logicalId }: Resource, logGroup: string): string => {
  const prefix = `/aws/lambda/${stack.name}/`;
  return logGroup.startsWith(prefix) ? logGroup.slice(prefix.length) : logicalId;
};

const codeFolder = (resource: Resource, key: string, { assets }: Assembly): string => {
  const folder = assets.get(key.replace(/\.zip$/, ""));
  if (folder === undefined)
    throw new LocalProblem(`The code of ${titleOf(resource)} is not in the assembly.`);
  return folder;
};

/** A name or an ARN without the version or alias at its end: all of them are the same code here. */
const unqualified = (wanted: string): string => /^(arn:([^:]*:){5}[^:]+|[^:]+)/.exec(wanted)?.[0] ?? wanted;

/** Finds a function by any of its names. */
export const findFunction = <Found extends { readonly definition: FunctionDefinition }>(
  functions: Iterable<Found>,
  wanted: string,
): Found => {
  const sought = unqualified(wanted);
  for (const found of functions) {
    const { name, functionName, logicalId, arn } = found.definition;
    if ([name, functionName, logicalId, arn].includes(sought)) return found;
  }
  throw new LocalProblem(`The assembly has no function "${wanted}".`);
};
