/**
 * The outputs of a deployment's stacks: the names of its tables, and the URLs of its queues. Clients of AWS
 * are not closed, here and in the commands: idle connections do not keep the process alive.
 */

import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { deadLetterPrefix, outputOf } from "../../output-names.ts";
import { Unreachable } from "./outcome.ts";
import type { QueueUrls } from "./queues.ts";

/**
 * Variables of tables, with the names of a deployment's tables.
 * @throws Unreachable if the deployment does not exist
 */
export async function tablesOf(
  deployment: string,
  config: CloudFormationClientConfig = {},
): Promise<Readonly<Record<string, string>>> {
  const outputs = await outputsOf(`${deployment}-data`, config);
  const variables = tableNames.map((name) => tableSchemas[name].variable);
  return Object.fromEntries(
    variables.flatMap((variable) => {
      const name = outputs.get(outputOf(variable));
      return name === undefined ? [] : [[variable, name]];
    }),
  );
}

/** The addresses of a deployment's queues. @throws Unreachable if the deployment does not exist */
export async function queuesOf(
  deployment: string,
  config: CloudFormationClientConfig = {},
): Promise<QueueUrls> {
  const outputs = await outputsOf(`${deployment}-jobs`, config);
  const beginning = (prefix: string) =>
    Object.fromEntries(
      [...outputs].flatMap(([name, url]) =>
        name.startsWith(prefix) ? [[`QUEUE_${name.slice(prefix.length)}`, url]] : [],
      ),
    );
  return { queues: beginning("QUEUE"), deadLetterQueues: beginning(`${deadLetterPrefix}QUEUE`) };
}

/** The outputs of a stack, by their names. @throws Unreachable if they can't be read */
export async function outputsOf(
  stack: string,
  config: CloudFormationClientConfig = {},
): Promise<ReadonlyMap<string, string>> {
  try {
    const { Stacks = [] } = await new CloudFormationClient(config).send(
      new DescribeStacksCommand({ StackName: stack }),
    );
    const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
    return new Map(
      outputs.flatMap(({ OutputKey: key, OutputValue: value }) =>
        key === undefined || value === undefined ? [] : [[key, value] as const],
      ),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Unreachable(
      `The outputs of the stack ${stack} can't be read: ${reason}\n` +
        "Check the shell's credentials and region, or name another deployment with --deployment.",
    );
  }
}
