import * as z from "zod";
import { AwsClient, type Runtime } from "../../../infra/local/index.ts";

const itemSchema = z.object({
  Item: z.object({ seen: z.object({ N: z.coerce.number() }).optional() }).optional(),
});

const toldSchema = z.object({
  Item: z.object({ told: z.object({ L: z.array(z.object({ S: z.string() })) }) }).optional(),
});

const messagesSchema = z.object({ Messages: z.array(z.object({ Body: z.string() })).default([]) });

/** Where a runtime keeps its data. */
type Places = Pick<Runtime, "dynamodb" | "sqs">;

/** Looks into the table and the queues beside the functions. */
export class Direct {
  readonly #runtime: Places;
  readonly #dynamodb: AwsClient;
  readonly #sqs: AwsClient;

  constructor(runtime: Places) {
    this.#runtime = runtime;
    const { endpoint, accessKeyId } = runtime.dynamodb;
    this.#dynamodb = new AwsClient(endpoint, "dynamodb", accessKeyId);
    this.#sqs = new AwsClient(runtime.sqs.endpoint, "sqs");
  }

  /** How often a worker saw a message; `undefined` if there is no such item. */
  async seen(pk: string): Promise<number | undefined> {
    const { Item } = await this.#item(pk);
    return Item && (Item.seen?.N ?? 0);
  }

  async exists(pk: string): Promise<boolean> {
    return (await this.#item(pk)).Item !== undefined;
  }

  async put(pk: string, more: object = {}): Promise<void> {
    await this.#dynamodb.send("PutItem", {
      TableName: this.#table,
      Item: { pk: { S: pk }, sk: { S: "count" }, ...more },
    });
  }

  /** Puts the versions of an item one after another. */
  async putVersions(pk: string, versions: readonly number[], more: object = {}): Promise<void> {
    for (const version of versions) await this.put(pk, { version: { N: String(version) }, ...more });
  }

  /** What `changeKeeper` was told of an item. */
  async told(pk: string): Promise<readonly string[]> {
    const { Item } = toldSchema.parse(await this.#body(`told-${pk}`));
    return Item?.told.L.map(({ S }) => S) ?? [];
  }

  async remove(pk: string): Promise<void> {
    await this.#dynamodb.send("DeleteItem", {
      TableName: this.#table,
      Key: { pk: { S: pk }, sk: { S: "count" } },
    });
  }

  async send(MessageBody: string): Promise<void> {
    await this.#sqs.send("SendMessage", { QueueUrl: this.#runtime.sqs.queues["QUEUE_LETTERS"], MessageBody });
  }

  /** The bodies of the messages that were given up, of which one at least is waited for. */
  async deadLetters(): Promise<readonly string[]> {
    const { body } = await this.#sqs.send("ReceiveMessage", {
      QueueUrl: this.#runtime.sqs.deadLetterQueues["QUEUE_LETTERS"],
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 15,
    });
    return messagesSchema.parse(body).Messages.map(({ Body }) => Body);
  }

  close(): void {
    this.#dynamodb.close();
    this.#sqs.close();
  }

  get #table(): string | undefined {
    return this.#runtime.dynamodb.tables["TABLE_THINGS"];
  }

  async #item(pk: string) {
    return itemSchema.parse(await this.#body(pk));
  }

  async #body(pk: string): Promise<unknown> {
    const Key = { pk: { S: pk }, sk: { S: "count" } };
    const { body } = await this.#dynamodb.send("GetItem", {
      TableName: this.#table,
      Key,
      ConsistentRead: true,
    });
    return body;
  }
}
