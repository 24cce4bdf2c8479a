/** A check of what earlier deployments left: resources that belong to no stack. */
import { BackupClient, paginateListBackupVaults } from "@aws-sdk/client-backup";
import { paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { paginateListSecrets, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Settings } from "../../settings.ts";
import { type Check, type Found, ok, warning } from "./finding.ts";
import { withCloudFormation } from "./stacks.ts";

/** What lies in the account, and outlives the stack of the deployment that made it. */
export interface Kept {
  readonly kind: "table" | "secret" | "vault";
  readonly name: string;
  /** The ARN of a secret: by that CloudFormation knows it. */
  readonly arn?: string | undefined;
}

/** How a resource of each kind is deleted. Tables are protected. */
const deletions: Readonly<Record<Kept["kind"], (name: string, region: string) => string>> = {
  table: (name, region) =>
    `aws dynamodb update-table --region ${region} --table-name ${name} --no-deletion-protection-enabled && ` +
    `aws dynamodb delete-table --region ${region} --table-name ${name}`,
  secret: (name, region) => `aws secretsmanager delete-secret --region ${region} --secret-id ${name}`,
  vault: (name, region) => `aws backup delete-backup-vault --region ${region} --backup-vault-name ${name}`,
};

/** What a resource costs that nothing uses. */
const costs: Readonly<Record<Kept["kind"], string>> = {
  table: "It costs what it stores",
  secret: "It costs money until it is deleted",
  vault: "It costs what the backups in it take",
};

/**
 * Judges resources that belong to no stack: a failed creation left them, or a deployment that was torn down.
 * @param owned the names of what stacks and settings refer to
 */
export function judgeLeftovers(
  kept: readonly Kept[],
  owned: ReadonlySet<string>,
  region: string,
): readonly Found[] {
  const left = kept.filter(({ name, arn = name }) => !owned.has(name) && !owned.has(arn));
  if (left.length === 0) return [ok("No tables, secrets or vaults are left behind by an earlier try.")];
  return left.map(({ kind, name }) =>
    warning(
      `The ${kind} ${name} belongs to no stack: a failed creation left it, or a deployment that was torn down. ${costs[kind]}.`,
      `If nothing in it is needed: ${deletions[kind](name, region)}`,
    ),
  );
}

/** Reads the names of what a stack holds. */
export type ReadOwned = (stack: string) => Promise<ReadonlySet<string>>;

/**
 * The names of all that the deployment uses: what the stacks hold that make tables, secrets and vaults, and
 * restored tables.
 */
export async function ownedNames(
  { deployment, restoredTables }: Pick<Settings, "deployment" | "restoredTables">,
  read: ReadOwned,
): Promise<ReadonlySet<string>> {
  const held = await Promise.all([read(`${deployment}-data`), read(`${deployment}-backups`)]);
  const restored = Object.values(restoredTables).flatMap((table) =>
    table === undefined ? [] : [table.name],
  );
  return new Set([...held.flatMap((names) => [...names]), ...restored]);
}

/** The names of what a stack holds; none if there is no such stack. */
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
  run: async ({ region, settings }) => {
    const { deployment } = settings;
    const stack = `${deployment}-data`;
    const owned = await ownedNames(settings, (one) => ownedBy(one, region));
    const kept = await Promise.all([
      tablesOf(stack, region),
      secretsOf(stack, region),
      vaultsOf(deployment, region),
    ]);
    return judgeLeftovers(kept.flat(), owned, region);
  },
};
