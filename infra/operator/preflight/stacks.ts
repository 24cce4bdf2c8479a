/** Checks of what earlier deployments left: stacks that can't be deployed to, and resources that belong to no stack. */
import { BackupClient, paginateListBackupVaults } from "@aws-sdk/client-backup";
import {
  CloudFormationClient,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { paginateListSecrets, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { type Check, error, type Found, ok, warning } from "./finding.ts";

/** A stack as far as a preflight looks at it. */
export type StackState = Pick<Stack, "StackName" | "StackStatus" | "EnableTerminationProtection">;

/** Judges whether a stack can be deployed to; undefined if it can. */
export function judgeStack({
  StackName: name = "",
  StackStatus: status = "CREATE_COMPLETE",
  EnableTerminationProtection: isProtected = false,
}: StackState): Found | undefined {
  const text = `The stack ${name} is in ${status}`;
  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`;
  const remove = `aws cloudformation delete-stack --stack-name ${name}`;
  switch (status) {
    case "ROLLBACK_COMPLETE":
    case "ROLLBACK_FAILED":
    case "CREATE_FAILED":
    case "DELETE_FAILED":
      return error(
        `${text}: its creation failed, and it must be deleted before it can be created again${isProtected ? "; its termination protection forbids that" : ""}.`,
        isProtected ? `${unprotect} && ${remove}` : remove,
      );
    case "UPDATE_ROLLBACK_FAILED":
      return error(
        `${text}: its last update failed, and so did the way back.`,
        `aws cloudformation continue-update-rollback --stack-name ${name}`,
      );
    // The CDK replaces a change set that was never executed.
    case "REVIEW_IN_PROGRESS":
      return undefined;
    default:
      if (!status.endsWith("_IN_PROGRESS")) return undefined;
      return error(
        `${text}: another deployment is under way.`,
        `Wait until it ends: aws cloudformation describe-stacks --stack-name ${name} --query 'Stacks[0].StackStatus'`,
      );
  }
}

/** The region's client of CloudFormation, for as long as it is used. */
async function withCloudFormation<T>(
  region: string,
  use: (client: CloudFormationClient) => Promise<T>,
): Promise<T> {
  const client = new CloudFormationClient({ region });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

export const stacks: Check = {
  name: "stacks",
  needs: ["cloudformation:DescribeStacks"],
  run: ({ region, settings: { deployment } }) =>
    withCloudFormation(region, async (client) => {
      const own: StackState[] = [];
      for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
        own.push(...Stacks.filter(({ StackName }) => StackName?.startsWith(`${deployment}-`)));
      const stuck = own.flatMap((stack) => judgeStack(stack) ?? []);
      if (stuck.length > 0) return stuck;
      return [
        ok(own.length === 0 ? "The deployment is new." : `All ${own.length} stacks can be deployed to.`),
      ];
    }),
};

/** What lies in the account that a data stack of the deployment made, or would make. */
export interface Kept {
  readonly kind: "table" | "secret" | "vault";
  readonly name: string;
  /** The ARN of a secret: by that CloudFormation knows it. */
  readonly arn?: string | undefined;
}

/** How a resource of each kind is deleted. Tables are protected. */
const deletions: Readonly<Record<Kept["kind"], (name: string) => string>> = {
  table: (name) =>
    `aws dynamodb update-table --table-name ${name} --no-deletion-protection-enabled && aws dynamodb delete-table --table-name ${name}`,
  secret: (name) => `aws secretsmanager delete-secret --secret-id ${name}`,
  vault: (name) => `aws backup delete-backup-vault --backup-vault-name ${name}`,
};

/**
 * Judges resources that belong to no stack: a failed creation left them, or a deployment that was torn down.
 * @param owned the names of what stacks and settings refer to
 */
export function judgeLeftovers(kept: readonly Kept[], owned: ReadonlySet<string>): readonly Found[] {
  const left = kept.filter(({ name, arn = name }) => !owned.has(name) && !owned.has(arn));
  if (left.length === 0) return [ok("No tables, secrets or vaults are left behind by an earlier try.")];
  return left.map(({ kind, name }) =>
    warning(
      `The ${kind} ${name} belongs to no stack, and costs money: a failed creation left it, or a deployment that was torn down.`,
      `If nothing in it is needed: ${deletions[kind](name)}`,
    ),
  );
}

/** The names of what the deployment's data stack holds; none if there is no such stack. */
const ownedBy = (stack: string, region: string): Promise<ReadonlySet<string>> =>
  withCloudFormation(region, async (client) => {
    const owned = new Set<string>();
    try {
      for await (const { StackResourceSummaries = [] } of paginateListStackResources(
        { client },
        { StackName: stack },
      ))
        for (const { PhysicalResourceId: id, ResourceStatus } of StackResourceSummaries)
          if (id !== undefined && ResourceStatus !== "DELETE_SKIPPED") owned.add(id);
    } catch (failure) {
      if (!(failure instanceof Error && failure.message.includes("does not exist"))) throw failure;
    }
    return owned;
  });

async function tablesOf(stack: string, region: string): Promise<readonly Kept[]> {
  const client = new DynamoDBClient({ region });
  const found: Kept[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    found.push(
      ...TableNames.filter((name) => name.startsWith(`${stack}-`)).map(
        (name) => ({ kind: "table", name }) as const,
      ),
    );
  client.destroy();
  return found;
}

/** CloudFormation tags what it makes with the stack's name. A secret's own name does not hold it. */
async function secretsOf(stack: string, region: string): Promise<readonly Kept[]> {
  const client = new SecretsManagerClient({ region });
  const found: Kept[] = [];
  const Filters = [{ Key: "tag-value" as const, Values: [stack] }];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters }))
    found.push(
      ...SecretList.filter(({ Tags = [] }) =>
        Tags.some(({ Key, Value }) => Key === "aws:cloudformation:stack-name" && Value === stack),
      ).flatMap(({ Name: name, ARN: arn }) =>
        name === undefined ? [] : [{ kind: "secret", name, arn } as const],
      ),
    );
  client.destroy();
  return found;
}

/** The vault's name begins with the deployment's, and ends with a part of its stack's id. */
async function vaultsOf(deployment: string, region: string): Promise<readonly Kept[]> {
  const client = new BackupClient({ region });
  const found: Kept[] = [];
  const own = new RegExp(`^${deployment}-[0-9a-f]{12}$`);
  for await (const { BackupVaultList = [] } of paginateListBackupVaults({ client }, {}))
    found.push(
      ...BackupVaultList.flatMap(({ BackupVaultName: name }) =>
        name !== undefined && own.test(name) ? [{ kind: "vault", name } as const] : [],
      ),
    );
  client.destroy();
  return found;
}

export const leftovers: Check = {
  name: "leftovers",
  needs: [
    "cloudformation:ListStackResources",
    "dynamodb:ListTables",
    "secretsmanager:ListSecrets",
    "backup:ListBackupVaults",
  ],
  run: async ({ region, settings: { deployment, restoredTables } }) => {
    const stack = `${deployment}-data`;
    const owned = await ownedBy(stack, region);
    const restored = Object.values(restoredTables).flatMap((table) =>
      table === undefined ? [] : [table.name],
    );
    const kept = await Promise.all([
      tablesOf(stack, region),
      secretsOf(stack, region),
      vaultsOf(deployment, region),
    ]);
    return judgeLeftovers(kept.flat(), new Set([...owned, ...restored]));
  },
};
