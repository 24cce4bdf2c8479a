/**
 * A check for resources that earlier deployments left behind: tables, secrets and vaults that belong to no
 * stack.
 */
import { BackupClient, paginateListBackupVaults } from "@aws-sdk/client-backup";
import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { paginateListSecrets, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Settings } from "../../settings.ts";
import { type Check, type Judgment, ok, warning } from "./check.ts";

/** A resource that CloudFormation retains when its stack is deleted. */
interface Retained {
  readonly kind: "table" | "secret" | "vault";
  readonly name: string;
  /** The ARN of a secret, which is its physical id in a stack. */
  readonly arn?: string | undefined;
}

/** The command that deletes a resource of each kind. Tables have deletion protection. */
const deletions: Readonly<Record<Retained["kind"], (name: string, region: string) => string>> = {
  table: (name, region) =>
    `aws dynamodb update-table --region ${region} --table-name ${name} --no-deletion-protection-enabled && ` +
    `aws dynamodb delete-table --region ${region} --table-name ${name}`,
  secret: (name, region) => `aws secretsmanager delete-secret --region ${region} --secret-id ${name}`,
  vault: (name, region) => `aws backup delete-backup-vault --region ${region} --backup-vault-name ${name}`,
};

/** @param owned the names and ARNs of resources that stacks and settings refer to */
export function judgeLeftovers(
  retained: readonly Retained[],
  owned: ReadonlySet<string>,
  region: string,
): readonly Judgment[] {
  const left = retained.filter(({ name, arn = name }) => !owned.has(name) && !owned.has(arn));
  if (left.length === 0) return [ok("No earlier deployment left tables, secrets or vaults behind.")];
  return left.map(({ kind, name }) =>
    warning(
      `The ${kind} ${name} belongs to no stack. A failed or deleted deployment left it behind, and you may pay for it.`,
      `If you do not need its contents: ${deletions[kind](name, region)}`,
    ),
  );
}

/**
 * The names of all resources that the deployment uses: those of the stacks with tables, secrets and vaults,
 * and restored tables.
 * @param resourcesOf the physical ids of a stack's resources
 */
export async function ownedNames(
  { deployment, restoredTables }: Pick<Settings, "deployment" | "restoredTables">,
  resourcesOf: (stack: string) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const stacks = await Promise.all([`${deployment}-data`, `${deployment}-backups`].map(resourcesOf));
  const restored = Object.values(restoredTables).flatMap((table) => table?.name ?? []);
  return new Set([...stacks.flat(), ...restored]);
}

async function idsInStack(StackName: string, region: string): Promise<readonly string[]> {
  const client = new CloudFormationClient({ region });
  try {
    const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
    return pages
      .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
      .flatMap(({ PhysicalResourceId: id, ResourceStatus }) =>
        id === undefined || ResourceStatus === "DELETE_SKIPPED" ? [] : [id],
      );
  } catch (failure) {
    if (failure instanceof Error && failure.message.includes("does not exist")) return [];
    throw failure;
  }
}

async function tablesOf(stack: string, region: string): Promise<readonly Retained[]> {
  const pages = await Array.fromAsync(paginateListTables({ client: new DynamoDBClient({ region }) }, {}));
  const names = pages.flatMap(({ TableNames = [] }) => TableNames);
  return names.filter((name) => name.startsWith(`${stack}-`)).map((name) => ({ kind: "table", name }));
}

/** A secret's name does not contain the stack's name, but CloudFormation tags the secret with it. */
async function secretsOf(stack: string, region: string): Promise<readonly Retained[]> {
  const client = new SecretsManagerClient({ region });
  const Filters = [{ Key: "tag-value" as const, Values: [stack] }];
  const pages = await Array.fromAsync(paginateListSecrets({ client }, { Filters }));
  return pages
    .flatMap(({ SecretList = [] }) => SecretList)
    .flatMap(({ Name: name, ARN: arn, Tags = [] }) => {
      const isOwn = Tags.some(({ Key, Value }) => Key === "aws:cloudformation:stack-name" && Value === stack);
      return isOwn && name !== undefined ? [{ kind: "secret", name, arn }] : [];
    });
}

/** A vault's name is the deployment's name and a part of its stack's id. */
async function vaultsOf(deployment: string, region: string): Promise<readonly Retained[]> {
  const own = new RegExp(`^${deployment}-[0-9a-f]{12}$`);
  const pages = await Array.fromAsync(paginateListBackupVaults({ client: new BackupClient({ region }) }, {}));
  return pages
    .flatMap(({ BackupVaultList = [] }) => BackupVaultList)
    .flatMap(({ BackupVaultName: name = "" }) => (own.test(name) ? [{ kind: "vault", name }] : []));
}

export const leftovers: Check = async ({ region, settings }) => {
  const { deployment } = settings;
  const stack = `${deployment}-data`;
  const owned = await ownedNames(settings, (one) => idsInStack(one, region));
  const retained = await Promise.all([
    tablesOf(stack, region),
    secretsOf(stack, region),
    vaultsOf(deployment, region),
  ]);
  return judgeLeftovers(retained.flat(), owned, region);
};
