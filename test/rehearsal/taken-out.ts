/**
 * What the emulator does not know, and the rehearsal therefore deploys without. An entry that nothing needs
 * any more fails the rehearsal: either the stacks no longer use it, or a newer emulator knows it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import type { Emulator } from "./emulator/emulator.ts";

/** A resource as a template states it. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> | undefined;
}

interface TakenOut {
  readonly what: string;
  readonly concerns: (resource: Resource) => boolean;
  /** Resources that CloudFormation must refuse to create while the entry is needed. */
  readonly probe: Readonly<Record<string, Resource>>;
}

const sumOfMetrics = [
  { Id: "sum", Expression: "one + one" },
  {
    Id: "one",
    ReturnData: false,
    MetricStat: { Metric: { Namespace: "AWS/Lambda", MetricName: "Errors" }, Period: 60, Stat: "Sum" },
  },
];

/** An alarm on metric math, which the emulator fails to create. */
export const refusedAlarm: Resource = {
  Type: "AWS::CloudWatch::Alarm",
  Properties: {
    ComparisonOperator: "GreaterThanThreshold",
    EvaluationPeriods: 1,
    Threshold: 1,
    Metrics: sumOfMetrics,
  },
};

export const takenOut: readonly TakenOut[] = [
  {
    what: "CodeDeploy, and with it the update policies of aliases: new code serves every call at once",
    concerns: ({ Type }) => Type.startsWith("AWS::CodeDeploy::"),
    probe: {
      Application: { Type: "AWS::CodeDeploy::Application", Properties: { ComputePlatform: "Lambda" } },
    },
  },
  {
    what: "alarms on metric math",
    concerns: ({ Type, Properties = {} }) => Type === "AWS::CloudWatch::Alarm" && "Metrics" in Properties,
    probe: { Alarm: refusedAlarm },
  },
  {
    what: "saved queries of Logs Insights",
    concerns: ({ Type }) => Type === "AWS::Logs::QueryDefinition",
    probe: {
      Query: { Type: "AWS::Logs::QueryDefinition", Properties: { Name: "probe", QueryString: "limit 1" } },
    },
  },
  {
    what: "AWS Budgets",
    concerns: ({ Type }) => Type === "AWS::Budgets::Budget",
    probe: {
      Budget: {
        Type: "AWS::Budgets::Budget",
        Properties: {
          Budget: {
            BudgetType: "COST",
            TimeUnit: "MONTHLY",
            BudgetLimit: { Amount: 1, Unit: "USD" },
          },
        },
      },
    },
  },
  {
    what: "the selections of AWS Backup",
    concerns: ({ Type }) => Type === "AWS::Backup::BackupSelection",
    probe: {
      Selection: {
        Type: "AWS::Backup::BackupSelection",
        Properties: {
          BackupPlanId: "probe",
          BackupSelection: { SelectionName: "probe", IamRoleArn: "arn:aws:iam::000000000000:role/probe" },
        },
      },
    },
  },
];

/** @throws if the emulator by now creates something that is still taken out */
export async function expectStillUnknown({ clientConfig }: Emulator): Promise<void> {
  const client = new CloudFormationClient(clientConfig);
  try {
    for (const { what, probe } of takenOut)
      if (await creates(client, JSON.stringify({ Resources: probe })))
        throw new Error(
          `The emulator knows ${what} by now: remove the entry from test/rehearsal/taken-out.ts.`,
        );
  } finally {
    client.destroy();
  }
}

/** @throws if no stack needs an entry any more. `used` names those that concerned one. */
export function expectNeeded(used: ReadonlySet<string>): void {
  for (const { what } of takenOut)
    if (!used.has(what))
      throw new Error(`No stack has ${what} any more: remove the entry from test/rehearsal/taken-out.ts.`);
}

async function creates(client: CloudFormationClient, template: string): Promise<boolean> {
  const StackName = "probe";
  try {
    await client.send(new CreateStackCommand({ StackName, TemplateBody: template }));
  } catch {
    // The whole template is refused if it has a resource of an unknown type.
    return false;
  }
  for (;;) {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    if (stack?.StackStatus?.endsWith("_IN_PROGRESS") !== true) {
      await client.send(new DeleteStackCommand({ StackName }));
      return stack?.StackStatus === "CREATE_COMPLETE";
    }
    await sleep(100);
  }
}
