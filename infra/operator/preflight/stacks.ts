/** A check for stacks in states that prevent a deployment. */
import { CloudFormationClient, paginateDescribeStacks, type Stack } from "@aws-sdk/client-cloudformation";
import { regionsOf } from "./account.ts";
import { type Check, error, type Judgment, note, ok, type PlannedDeployment } from "./check.ts";

type StackState = Pick<Stack, "StackName" | "StackStatus" | "EnableTerminationProtection">;

const onStack = (command: string, name: string, region: string): string =>
  `aws cloudformation ${command} --region ${region} --stack-name ${name}`;

/** Judges a stack that must be deleted before it can be created again. */
function judgeFailed(
  {
    StackName: name = "",
    StackStatus: status = "CREATE_FAILED",
    EnableTerminationProtection: isProtected,
  }: StackState,
  region: string,
): Judgment {
  const text = `The stack ${name} is in ${status}: its ${status === "DELETE_FAILED" ? "deletion" : "creation"} failed`;
  const remove = onStack("delete-stack", name, region);
  if (isProtected === true)
    return error(
      `${text}, and it must be deleted before it can be created again. Termination protection prevents the deletion.`,
      `${onStack("update-termination-protection --no-enable-termination-protection", name, region)} && ${remove}`,
    );
  if (status.startsWith("ROLLBACK_"))
    return note(`${text}. The next cdk deploy deletes it and creates it again.`);
  return error(`${text}, and it must be deleted before it can be created again.`, remove);
}

/** A finding for a stack that can't be deployed to; undefined if it can. */
export function judgeStack(stack: StackState, region: string): Judgment | undefined {
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
        `${text}: its last update failed, and so did the rollback.`,
        onStack("continue-update-rollback", name, region),
      );
    // The stack has only a change set that was never executed. The CDK replaces it.
    case "REVIEW_IN_PROGRESS":
      return undefined;
    default:
      if (!status.endsWith("_IN_PROGRESS")) return undefined;
      return error(
        `${text}: another deployment is in progress.`,
        `Wait until it has finished: ${onStack("describe-stacks --query 'Stacks[0].StackStatus'", name, region)}`,
      );
  }
}

/**
 * Whether a stack in the region `at` is the deployment's. Only the firewall's stack is in another region than
 * the others.
 */
export const isOwnStack = (
  { StackName: name = "" }: Pick<Stack, "StackName">,
  at: string,
  { region, settings: { deployment } }: Pick<PlannedDeployment, "region" | "settings">,
): boolean => (at === region ? name.startsWith(`${deployment}-`) : name === `${deployment}-firewall`);

async function ownStacksIn(at: string, target: PlannedDeployment): Promise<readonly StackState[]> {
  const client = new CloudFormationClient({ region: at });
  const pages = await Array.fromAsync(paginateDescribeStacks({ client }, {}));
  return pages.flatMap(({ Stacks = [] }) => Stacks).filter((stack) => isOwnStack(stack, at, target));
}

export const stacks: Check = async (target) => {
  const judged = await Promise.all(
    regionsOf(target).map(async (at) =>
      (await ownStacksIn(at, target)).map((stack) => judgeStack(stack, at)),
    ),
  );
  const all = judged.flat();
  const stuck = all.filter((found) => found !== undefined);
  if (stuck.length > 0) return stuck;
  return [ok(all.length === 0 ? "The deployment is new." : `All ${all.length} stacks can be deployed to.`)];
};
