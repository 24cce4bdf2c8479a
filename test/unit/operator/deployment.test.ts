/** What an operator's command learns of a deployment, from a server that speaks CloudFormation's protocol. */
import { afterAll, describe, expect, test } from "vitest";
import { listen } from "../../../infra/demo/receiver.ts";
import { queuesOf, tablesOf } from "../../../infra/operator/cli/deployment.ts";

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

const asked: string[] = [];

const { origin: endpoint, close } = await listen((_request, body, response) => {
  const form = new URLSearchParams(body);
  const name = form.get("StackName") ?? "";
  asked.push(`${form.get("Action")} ${name}`);
  const isKnown = name in outputs;
  response.writeHead(isKnown ? 200 : 400, { "content-type": "text/xml" });
  response.end(isKnown ? found(name) : missing(name));
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
});
