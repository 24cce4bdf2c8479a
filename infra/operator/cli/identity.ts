/** Who runs a command, and what it works on: for questions, and for the log of changes. */
import { hostname, userInfo } from "node:os";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { type Connection, usualDeployment } from "./connection.ts";
import { Unreachable } from "./outcome.ts";

/** The account, region and identity of the shell's credentials. @throws Unreachable if there are none */
export async function callerOf() {
  const client = new STSClient();
  try {
    const region = await client.config.region();
    const { Account: account, Arn: arn = "" } = await client.send(new GetCallerIdentityCommand());
    if (account === undefined) throw new Error("AWS returned no account");
    return { account, region, arn };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new Unreachable(
      `The AWS credentials or the region are missing or invalid: ${reason}\n` +
        "Set AWS_REGION, sign in (aws sso login), and check that aws sts get-caller-identity succeeds.",
    );
  }
}

/**
 * @returns `who`: the user of this machine, and on AWS the ARN of the credentials; `where`: the deployment
 * with its AWS account and region, in words
 * @throws Unreachable if the shell has no credentials
 */
export async function identify({ target }: Pick<Connection, "target">) {
  const user = `${userName()}@${hostname()}`;
  switch (target.at) {
    case "local":
      return { who: user, where: `the service at ${target.url} on this machine` };
    case "aws": {
      const { account, region, arn } = await callerOf();
      const deployment = target.deployment ?? usualDeployment;
      return {
        who: `${arn} (${user})`,
        where: `deployment ${deployment}, AWS account ${account}, region ${region}`,
      };
    }
  }
}

/** A user without an entry in the machine's list of users has only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
