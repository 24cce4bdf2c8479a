/** What a command learns of a deployment, from a server that stands for CloudFormation and STS. */
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { queuesOf, tablesOf } from "../../../infra/operator/cli/deployment.ts";
import { identify } from "../../../infra/operator/cli/identity.ts";
import { listen } from "../../../infra/operator/smoke/receiver.ts";

const outputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "oiw-data": {
    TABLEORDERS: "oiw-data-orders1",
    TABLEIDENTITY: "oiw-data-identity1",
    SigningSecretArn: "arn:x",
  },
  "oiw-jobs": { QUEUERECOUNT: "https://sqs/1/recount", DEADLETTERQUEUERECOUNT: "https://sqs/1/recount-dead" },
};

const stackOf = (name: string): string =>
  Object.entries(outputs[name] ?? {})
    .map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join("");

const found = (name: string): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName>` +
  `<CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>` +
  `<Outputs>${stackOf(name)}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const missing = (name: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>` +
  `<Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

const caller =
  "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>111122223333</Account>" +
  "<Arn>arn:aws:iam::111122223333:user/ada</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>";

const asked: string[] = [];

const { origin: endpoint, close } = await listen((_request, body, response) => {
  const form = new URLSearchParams(body);
  const name = form.get("StackName") ?? "";
  asked.push(`${form.get("Action")} ${name}`);
  const isCaller = form.get("Action") === "GetCallerIdentity";
  const isKnown = isCaller || name in outputs;
  response.writeHead(isKnown ? 200 : 400, { "content-type": "text/xml" });
  response.end(isCaller ? caller : isKnown ? found(name) : missing(name));
});
afterAll(close);

const config = () => ({
  endpoint,
  region: "us-east-1",
  maxAttempts: 1,
  credentials: { accessKeyId: "operator", secretAccessKey: "test" },
});

describe("a deployment", () => {
  test("tells the names of its tables by the outputs of its data stack", async () => {
    const tables = await tablesOf("oiw", config());

    expect(tables).toEqual({ TABLE_ORDERS: "oiw-data-orders1", TABLE_IDENTITY: "oiw-data-identity1" });
    expect(asked).toContain("DescribeStacks oiw-data");
  });

  test("tells the addresses of its queues and their dead-letter queues by the outputs of its jobs stack", async () => {
    const queues = await queuesOf("oiw", config());

    expect(queues).toEqual({
      queues: { QUEUE_RECOUNT: "https://sqs/1/recount" },
      deadLetterQueues: { QUEUE_RECOUNT: "https://sqs/1/recount-dead" },
    });
  });

  test("that does not exist is rejected, with CloudFormation's message and what to look at", async () => {
    await expect(tablesOf("other", config())).rejects.toThrow(
      /stack other-data can't be read: Stack with id other-data does not exist\n.*--deployment/,
    );
  });

  test.each([
    [undefined, "oiw"],
    ["trial", "trial"],
  ])("is named by what is changed, with the AWS account and region: %s", async (deployment, name) => {
    const variables = {
      AWS_ACCESS_KEY_ID: "operator",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_REGION: "eu-west-1",
    };
    for (const [variable, value] of Object.entries({ ...variables, AWS_ENDPOINT_URL_STS: endpoint }))
      vi.stubEnv(variable, value);
    onTestFinished(() => void vi.unstubAllEnvs());

    const { who, where } = await identify({ target: { at: "aws", deployment } });

    expect(where).toBe(`deployment ${name}, AWS account 111122223333, region eu-west-1`);
    expect(who).toMatch(/^arn:aws:iam::111122223333:user\/ada \(.+@.+\)$/);
  });
});
