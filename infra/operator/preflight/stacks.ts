/** A check of stacks that can't be deployed to. */
import { CloudFormationClient, paginateDescribeStacks, type Stack } from "@aws-sdk/client-cloudformation";
import { regionsOf } from "./account.ts";
import { type Check, error, type Found, note, ok, type Target } from "./finding.ts";

/** A stack as far as a preflight looks at it. */
export type StackState = Pick<Stack, "StackName" | "StackStatus" | "EnableTerminationProtection">;

/** A command of CloudFormation's on a stack. */
const onStack = (command: string, name: string, region: string): string =>
  `aws cloudformation ${command} --region ${region} --stack-name ${name}`;

/** Judges a stack that has to be deleted before it can be created again. */
function judgeFailed(
  {
    StackName: name = "",
    StackStatus: status = "CREATE_FAILED",
    EnableTerminationProtection: isProtected,
  }: StackState,
  region: string,
): Found {
  const text = `The stack ${name} is in ${status}: its ${status === "DELETE_FAILED" ? "deletion" : "creation"} failed`;
  const remove = onStack("delete-stack", name, region);
  if (isProtected === true)
    return error(
      `${text}, and it must be deleted before it can be created again; its termination protection forbids that.`,
      `${onStack("update-termination-protection --no-enable-termination-protection", name, region)} && ${remove}`,
    );
  if (status.startsWith("ROLLBACK_"))
    return note(`${text}. The next cdk deploy deletes it, and creates it anew.`);
  return error(`${text}, and it must be deleted before it can be created again.`, remove);
}

/** Judges whether a stack can be deployed to; undefined if it can. */
export function judgeStack(stack: StackState, region: string): Found | undefined {
  const { StackName: name = "", StackStatus: status = "CREATE_COMPLETE" } = stack;
  const text = `The stack ${name} is in ${status}`;
  switch (status) {
    case "ROLLBACK_COMPLETE":
    case "ROLLBACK_FAILED":
    case "CREATE_FAILED":
    case "DELETE_FAILED":
      return judgeFailed(stack, region);
    case "UPDATE_ROLLBACK_FAILED":
      return error(
        `${text}: its last update failed, and so did the way back.`,
        onStack("continue-update-rollback", name, region),
      );
    // The CDK replaces a change set that was never executed.
    case "REVIEW_IN_PROGRESS":
      return undefined;
    default:
      if (!status.endsWith("_IN_PROGRESS")) return undefined;
      return error(
        `${text}: another deployment is under way.`,
        `Wait until it ends: ${onStack("describe-stacks --query 'Stacks[0].StackStatus'", name, region)}`,
      );
  }
}

/** The region's client of CloudFormation, for as long as it is used. */
export async function withCloudFormation<T>(
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

/**
 * Whether a stack of a region is the deployment's. Beside the deployment's own region, only the firewall has
 * one.
 */
export const isOwnStack = (
  { StackName: name = "" }: Pick<Stack, "StackName">,
  at: string,
  { region, settings: { deployment } }: Pick<Target, "region" | "settings">,
): boolean => (at === region ? name.startsWith(`${deployment}-`) : name === `${deployment}-firewall`);

const ownStacksIn = (at: string, target: Target): Promise<readonly StackState[]> =>
  withCloudFormation(at, async (client) => {
    const own: StackState[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
      own.push(...Stacks.filter((stack) => isOwnStack(stack, at, target)));
    return own;
  });

export const stacks: Check = {
  name: "stacks",
  needs: ["cloudformation:DescribeStacks"],
  run: async (target) => {
    const judged = await Promise.all(
      regionsOf(target).map(async (at) => {
        const own = await ownStacksIn(at, target);
        return own.map((stack) => judgeStack(stack, at));
      }),
    );
    const all = judged.flat();
    const stuck = all.filter((found) => found !== undefined);
    if (stuck.length > 0) return stuck;
    return [ok(all.length === 0 ? "The deployment is new." : `All ${all.length} stacks can be deployed to.`)];
  },
};
