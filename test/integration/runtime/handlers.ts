/** Speaks to AWS services as the AWS SDK would, which a bundle-less handler cannot import. */
const aws = `
const services = {
  dynamodb: [process.env.AWS_ENDPOINT_URL_DYNAMODB, "DynamoDB_20120810."],
  sqs: [process.env.AWS_ENDPOINT_URL_SQS, "AmazonSQS."],
  secretsmanager: [process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER, "secretsmanager."],
};
const aws = async ({ service, operation, input }) => {
  const [endpoint, prefix] = services[service];
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": prefix + operation,
      authorization: "AWS4-HMAC-SHA256 Credential=" + process.env.AWS_ACCESS_KEY_ID + "/20250101/us-east-1/x/aws4_request",
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};
`;

/** Takes the steps of its event, one after another or all at once, and answers with their results. */
export const stepsHandler = `${aws}
const take = (step) => aws(step).catch((error) => ({ status: 0, body: { __type: error.message } }));
export const handler = async ({ steps, parallel }) => {
  if (parallel) return Promise.all(steps.map(take));
  const results = [];
  for (const step of steps) results.push(await take(step));
  return results;
};
`;

/** Adds 1 to the count of every message's body; fails those that say so. */
export const countingWorker = `${aws}
export const handler = async ({ Records }) => {
  const batchItemFailures = [];
  for (const { messageId, body } of Records) {
    const { status } = await aws({ service: "dynamodb", operation: "UpdateItem", input: {
      TableName: process.env.TABLE_THINGS,
      Key: { pk: { S: body }, sk: { S: "count" } },
      UpdateExpression: "ADD seen :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    } });
    if (status !== 200 || body.startsWith("fail")) batchItemFailures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures };
};
`;

/**
 * Writes each change that it is told to what it was told of that item before: `insert 1`, `modify 2`. Of a change whose item
 * says `letter`, it sends a message. An item that says `stuck` fails until there is an item `cure`; one that says `named`
 * does too, and the function then names its record alone. What an item has as `nested` follows as JSON.
 */
export const changeKeeper = `${aws}
const table = (operation, input) =>
  aws({ service: "dynamodb", operation, input: { TableName: process.env.TABLE_THINGS, ...input } });
const isCured = async () => {
  const { body } = await table("GetItem", { Key: { pk: { S: "cure" }, sk: { S: "count" } }, ConsistentRead: true });
  return body.Item !== undefined;
};
export const handler = async ({ Records }) => {
  for (const { eventName, dynamodb } of Records) {
    const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb;
    const image = NewImage ?? OldImage;
    if ((image.stuck || image.named) && !(await isCured())) {
      if (image.stuck) throw new Error("stuck");
      return { batchItemFailures: [{ itemIdentifier: SequenceNumber }] };
    }
    const nested = image.nested ? " " + JSON.stringify(image.nested) : "";
    const told = eventName.toLowerCase() + " " + image.version.N + nested;
    const { status } = await table("UpdateItem", {
      Key: { pk: { S: "told-" + Keys.pk.S }, sk: { S: "count" } },
      UpdateExpression: "SET told = list_append(if_not_exists(told, :none), :told)",
      ExpressionAttributeValues: { ":none": { L: [] }, ":told": { L: [{ S: told }] } },
    });
    if (status !== 200) throw new Error("not kept");
    if (image.letter)
      await aws({ service: "sqs", operation: "SendMessage", input: {
        QueueUrl: process.env.QUEUE_LETTERS, MessageBody: "from-" + Keys.pk.S } });
  }
};
`;

/** Puts the first version of an order for each item that it is told of. */
export const itemWriter = `${aws}
export const handler = async ({ Records }) => {
  for (const { dynamodb } of Records) {
    const { status } = await aws({ service: "dynamodb", operation: "PutItem", input: {
      TableName: process.env.TABLE_THINGS,
      Item: { pk: { S: "order#after-" + dynamodb.Keys.pk.S }, sk: { S: "count" }, version: { N: "1" } },
    } });
    if (status !== 200) throw new Error("not put");
  }
};
`;

/** Answers with the event that it got. */
export const echoHandler = `export const handler = async (event) => event;`;

/** Counts its calls in a variable of the module. */
export const statefulHandler = `
let calls = 0;
export const handler = async (event, context) => {
  calls += 1;
  console.log(JSON.stringify({ level: "INFO", message: "called", calls }));
  if (event.body === "throw") throw new TypeError("asked to throw");
  if (event.body === "exit") process.exit(3);
  if (event.body === "hang") await new Promise((resolve) => setTimeout(resolve, 60_000));
  const { AWS_REGION, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_FUNCTION_MEMORY_SIZE, PATH } = process.env;
  const { functionName, memoryLimitInMB, invokedFunctionArn } = context;
  return {
    calls,
    environment: { AWS_REGION, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_FUNCTION_MEMORY_SIZE, PATH: PATH ?? null },
    context: { functionName, memoryLimitInMB, invokedFunctionArn },
    remaining: context.getRemainingTimeInMillis(),
  };
};
`;
