import { Agent } from "node:http";
import { awsEnvironment } from "./aws-environment.ts";
import { post } from "./http-messages.ts";
import { isObject, parseJson } from "./json.ts";

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The prefixes of `X-Amz-Target`, by the service. */
const prefixes = {
  dynamodb: "DynamoDB_20120810",
  dynamodbstreams: "DynamoDBStreams_20120810",
  sqs: "AmazonSQS",
} as const;

/** The header `Authorization` of a request to a local server, which reads the access key and no signature. */
export const unsigned = (accessKeyId: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20250101/${awsEnvironment.region}/local/aws4_request, SignedHeaders=host, Signature=0`;

/** The error code of an answer, without its namespace; `undefined` if the answer is a success. */
export const errorCode = ({ status, body }: Answer): string | undefined => {
  if (status < 400) return undefined;
  const type = body["__type"];
  return typeof type === "string" ? type.slice(type.indexOf("#") + 1) : `status ${status}`;
};

/**
 * Speaks the JSON protocol of DynamoDB, its streams and SQS to local servers, which check no signature.
 *
 * The runtime's own calls use this client instead of the AWS SDK: loading the SDK takes longer than all of
 * these calls.
 */
export class AwsClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #endpoint: string;
  readonly #prefix: string;
  readonly #accessKeyId: string;

  /** @param accessKeyId the caller's key; only a DynamoDB that separates the tables of each key uses it */
  constructor(endpoint: string, service: keyof typeof prefixes, accessKeyId = "runtime") {
    this.#endpoint = endpoint;
    this.#prefix = prefixes[service];
    this.#accessKeyId = accessKeyId;
  }

  /** Rejects if there is no connection. It does not reject for an answer with an error. */
  async send(operation: string, input: unknown): Promise<Answer> {
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `${this.#prefix}.${operation}`,
      authorization: unsigned(this.#accessKeyId),
    };
    const sent = Buffer.from(JSON.stringify(input));
    const { status, body } = await post(this.#endpoint, this.#agent, headers, sent);
    const parsed = parseJson(body.toString("utf8"));
    return { status, body: isObject(parsed) ? parsed : {} };
  }

  close(): void {
    this.#agent.destroy();
  }
}
