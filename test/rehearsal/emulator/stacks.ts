/** What CloudFormation, DynamoDB and Lambda say of a deployment in the emulator. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { GetEventSourceMappingCommand, LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { outputOf } from "../../../infra/output-names.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import type { Emulator } from "./emulator.ts";

export const usualDeployment = "oiw";

export async function stacksOf(
  { clientConfig }: Emulator,
  region = clientConfig.region,
): Promise<readonly Stack[]> {
  const client = new CloudFormationClient({ ...clientConfig, region });
  try {
    return (await client.send(new DescribeStacksCommand({}))).Stacks ?? [];
  } finally {
    client.destroy();
  }
}

/** The outputs of a stack, by name. */
export async function outputsOf(emulator: Emulator, stack: string): Promise<ReadonlyMap<string, string>> {
  const found = (await stacksOf(emulator)).find(({ StackName }) => StackName === stack);
  const outputs = found?.Outputs ?? [];
  return new Map(
    outputs.flatMap(({ OutputKey: key, OutputValue: value }) => (key && value ? [[key, value]] : [])),
  );
}

export const existing = (outputs: ReadonlyMap<string, string>, name: string): string => {
  const value = outputs.get(name);
  if (value === undefined) throw new Error(`The stack has no output ${name}.`);
  return value;
};

/** The id of a deployment's HTTP API. */
export async function apiIdOf(emulator: Emulator, deployment = usualDeployment): Promise<string> {
  const address = existing(await outputsOf(emulator, `${deployment}-stage`), "ApiUrl");
  return new URL(address).hostname.split(".")[0] ?? "";
}

/** The names of a deployment's tables, by their variables. */
export async function tablesOf(
  emulator: Emulator,
  deployment = usualDeployment,
): Promise<Readonly<Record<string, string>>> {
  const outputs = await outputsOf(emulator, `${deployment}-data`);
  const variables = tableNames.map((name) => tableSchemas[name].variable);
  return Object.fromEntries(variables.map((variable) => [variable, existing(outputs, outputOf(variable))]));
}

/** The addresses of a deployment's queues, without those of dead letters. */
export async function queuesOf(emulator: Emulator, deployment = usualDeployment): Promise<readonly string[]> {
  const outputs = await outputsOf(emulator, `${deployment}-jobs`);
  return [...outputs].flatMap(([name, url]) => (name.startsWith("QUEUE") ? [url] : []));
}

/** The names of all tables of a region, whether they belong to a stack or not. */
export async function tableNamesIn(
  { clientConfig }: Emulator,
  region = clientConfig.region,
): Promise<readonly string[]> {
  const client = new DynamoDBClient({ ...clientConfig, region });
  try {
    return (await client.send(new ListTablesCommand({}))).TableNames ?? [];
  } finally {
    client.destroy();
  }
}

/** The ARN of a table's stream, if it has one. */
export async function streamOf({ clientConfig }: Emulator, table: string): Promise<string | undefined> {
  const client = new DynamoDBClient(clientConfig);
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
    return Table?.StreamSpecification?.StreamEnabled === true ? Table.LatestStreamArn : undefined;
  } finally {
    client.destroy();
  }
}

/** The ids of a stack's resources of a type. */
async function resourcesOf(
  { clientConfig }: Emulator,
  stack: string,
  type: string,
): Promise<readonly string[]> {
  const client = new CloudFormationClient(clientConfig);
  try {
    const { StackResourceSummaries = [] } = await client.send(
      new ListStackResourcesCommand({ StackName: stack }),
    );
    return StackResourceSummaries.flatMap(({ ResourceType, PhysicalResourceId: id }) =>
      ResourceType === type && id !== undefined ? [id] : [],
    );
  } finally {
    client.destroy();
  }
}

/** Whether a function is called with changes, and the seconds for which they are gathered before. */
export interface ChangeMapping {
  readonly state: string | undefined;
  readonly window: number | undefined;
}

/** The publisher's part in the names of functions, which CloudFormation derives from logical ids. */
const publisher = /publishevents/i;

/**
 * What calls the publisher of events. The stack `streams` has another function, which no setting switches
 * off.
 */
export async function changeMappingsOf(
  emulator: Emulator,
  deployment: string,
): Promise<readonly ChangeMapping[]> {
  const client = new LambdaClient(emulator.clientConfig);
  try {
    const ids = await resourcesOf(emulator, `${deployment}-streams`, "AWS::Lambda::EventSourceMapping");
    const found = await Promise.all(
      ids.map((UUID) => client.send(new GetEventSourceMappingCommand({ UUID }))),
    );
    const ofPublisher = found.filter(({ FunctionArn = "" }) => publisher.test(FunctionArn));
    return ofPublisher.map(({ State: state, MaximumBatchingWindowInSeconds: window }) => ({ state, window }));
  } finally {
    client.destroy();
  }
}

const globalTables = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(z.object({ Replicas: z.optional(z.array(z.object({ Region: z.unknown() }))) })),
    }),
  ),
});

/** The regions that the deployed template states for each table. */
export async function replicasOf(
  { clientConfig }: Emulator,
  deployment: string,
): Promise<readonly (readonly unknown[])[]> {
  const client = new CloudFormationClient(clientConfig);
  try {
    const { TemplateBody = "" } = await client.send(
      new GetTemplateCommand({ StackName: `${deployment}-data` }),
    );
    const { Resources } = globalTables.parse(JSON.parse(TemplateBody));
    return Object.values(Resources).flatMap(({ Type, Properties }) =>
      Type === "AWS::DynamoDB::GlobalTable"
        ? [(Properties?.Replicas ?? []).map(({ Region }) => Region).toSorted()]
        : [],
    );
  } finally {
    client.destroy();
  }
}
