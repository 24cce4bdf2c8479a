/** Who runs a command, and what it works on: for questions, and for the log of changes. */
import { hostname, userInfo } from "node:os";
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
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
export async function identify({ target, db }: Pick<Connection, "target" | "db">) {
  const user = `${userName()}@${hostname()}`;
  switch (target.at) {
    case "local":
      return { who: user, where: `the service at ${target.url} on this machine` };
    case "tables":
      return { who: user, where: await tablesOf(db) };
    case "aws": {
      const { account, region, arn } = await callerOf();
      const deployment = target.deployment ?? usualDeployment;
      return { who: `${arn} (${user})`, where: `deployment ${deployment}, ${inAccount(account, region)}` };
    }
  }
}

const inAccount = (account: string, region: string): string => `AWS account ${account}, region ${region}`;

/** A user without an entry in the machine's list of users has only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/** Tables that the shell names. The ARN of one tells the account and region. */
async function tablesOf(db: Connection["db"]): Promise<string> {
  const name = db.tableName("identity");
  try {
    const { Table } = await db.client.send(new DescribeTableCommand({ TableName: name }));
    const [, , , region = "", account = ""] = Table?.TableArn?.split(":") ?? [];
    return `the tables of this shell (TABLE_IDENTITY=${name}), ${inAccount(account, region)}`;
  } catch {
    return `the tables of this shell (TABLE_IDENTITY=${name}), in an AWS account that can't be read`;
  }
}
