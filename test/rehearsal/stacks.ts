/** What CloudFormation and DynamoDB say of a deployment in the emulator. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { outputOf } from "../../infra/output-names.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";
import type { Emulator } from "./emulator.ts";

export const usualDeployment = "oiw";

export async function stacksOf({ clientConfig }: Emulator): Promise<readonly Stack[]> {
  const client = new CloudFormationClient(clientConfig);
  try {
    return (await client.send(new DescribeStacksCommand({}))).Stacks ?? [];
  } finally {
    client.destroy();
  }
}

/** The outputs of a stack, by name. */
async function outputsOf(emulator: Emulator, stack: string): Promise<ReadonlyMap<string, string>> {
  const found = (await stacksOf(emulator)).find(({ StackName }) => StackName === stack);
  const outputs = found?.Outputs ?? [];
  return new Map(
    outputs.flatMap(({ OutputKey: key, OutputValue: value }) => (key && value ? [[key, value]] : [])),
  );
}

const existing = (outputs: ReadonlyMap<string, string>, name: string): string => {
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

/** The names of all tables, whether they belong to a stack or not. */
export async function tableNamesIn({ clientConfig }: Emulator): Promise<readonly string[]> {
  const client = new DynamoDBClient(clientConfig);
  try {
    return (await client.send(new ListTablesCommand({}))).TableNames ?? [];
  } finally {
    client.destroy();
  }
}

/** How many resources a stack has by now. */
export async function resourcesOf({ clientConfig }: Emulator, stack: string): Promise<number> {
  const client = new CloudFormationClient(clientConfig);
  try {
    const { StackResourceSummaries = [] } = await client.send(
      new ListStackResourcesCommand({ StackName: stack }),
    );
    return StackResourceSummaries.length;
  } finally {
    client.destroy();
  }
}
