import { checkMappings, checkTemplates } from "./checks.ts";
import { type CustomResource, readCustomResources } from "./custom-resources.ts";
import { type FunctionDefinition, readFunctions } from "./functions.ts";
import { readGrants } from "./grants.ts";
import type { Addresses } from "./intrinsics/references.ts";
import { Resolver } from "./intrinsics/resolver.ts";
import { type QueueDefinition, readQueues } from "./queues.ts";
import type { Assembly } from "./read.ts";
import { type RouteDefinition, readRoutes } from "./routes.ts";
import { readSecrets, type SecretDefinition } from "./secrets.ts";
import { type MappingDefinition, readMappings, readSchedules, type ScheduleDefinition } from "./sources.ts";
import { readStreamMappings, type StreamMappingDefinition } from "./stream-mappings.ts";
import { readTables, type TableDefinition } from "./tables.ts";

/** Everything the local runtime runs, read from the templates. */
export interface Deployment {
  readonly tables: readonly TableDefinition[];
  readonly queues: readonly QueueDefinition[];
  readonly secrets: readonly SecretDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly routes: readonly RouteDefinition[];
  readonly mappings: readonly MappingDefinition[];
  readonly streamMappings: readonly StreamMappingDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly customResources: readonly CustomResource[];
}

export const readDeployment = (assembly: Assembly, addresses: Addresses): Deployment => {
  checkTemplates(assembly);
  const resolver = new Resolver(assembly, addresses);
  const deployment = {
    tables: readTables(resolver),
    queues: readQueues(resolver),
    secrets: readSecrets(resolver),
    functions: readFunctions(resolver, assembly, readGrants(resolver)),
    routes: readRoutes(resolver),
    mappings: readMappings(resolver),
    streamMappings: readStreamMappings(resolver),
    schedules: readSchedules(resolver),
    customResources: readCustomResources(resolver),
  };
  checkMappings(deployment.mappings, deployment.queues, deployment.functions);
  return deployment;
};

const daySeconds = 86_400;

/** The same deployment with a day for each event. */
export const withoutTimeouts = (deployment: Deployment): Deployment => ({
  ...deployment,
  functions: deployment.functions.map((one) => ({ ...one, timeoutSeconds: daySeconds })),
  routes: deployment.routes.map((one) => ({ ...one, timeoutMs: daySeconds * 1000 })),
});

/** The value of every environment variable that names one of these resources, by the variable. */
export const byVariable = (
  functions: readonly FunctionDefinition[],
  values: ReadonlySet<string>,
): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const { environment } of functions) {
    for (const [variable, value] of Object.entries(environment)) {
      if (values.has(value)) found[variable] = value;
    }
  }
  return found;
};
