/** The job queues, as operators use them. Failed messages are in the dead-letter queue of each. */

import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from "@aws-sdk/client-sqs";
import type { QueueName } from "../../../shared/runtime/queue-names.ts";
import { queueVariable } from "../../../shared/runtime/shared-names.ts";
import { Usage } from "./outcome.ts";

/** URLs of queues by variables such as `QUEUE_RECOUNT`, and of the dead-letter queues behind them. */
export interface QueueUrls {
  readonly queues: Readonly<Record<string, string>>;
  readonly deadLetterQueues: Readonly<Record<string, string>>;
}

/** SQS's limit of messages for one call. */
const together = 10;

export class Queues {
  readonly #client: SQSClient;
  readonly #urls: QueueUrls;

  constructor(urls: QueueUrls, config: SQSClientConfig = {}) {
    this.#urls = urls;
    this.#client = new SQSClient(config);
  }

  /** Sends one message. @throws Usage if the kind has no queue */
  async send(kind: QueueName, text: string): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({ QueueUrl: urlIn(this.#urls.queues, kind), MessageBody: text }),
    );
  }

  /** About how many messages a kind's dead-letter queue holds. */
  async failed(kind: QueueName): Promise<number> {
    return (await this.#count(urlIn(this.#urls.deadLetterQueues, kind))).waiting;
  }

  /**
   * About how many messages each queue holds: those that can be received, those being worked on, and those
   * that failed and are in its dead-letter queue.
   */
  counts() {
    return Promise.all(
      Object.entries(this.#urls.queues).map(async ([variable, url]) => {
        const behind = this.#urls.deadLetterQueues[variable];
        const dead = behind === undefined ? 0 : (await this.#count(behind)).waiting;
        return { queue: nameOf(variable), ...(await this.#count(url)), dead };
      }),
    );
  }

  async #count(QueueUrl: string) {
    const { Attributes } = await this.#client.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
      }),
    );
    return {
      waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
      in_flight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
    };
  }

  /**
   * Moves all messages of a kind's dead-letter queue back to its queue, and returns their number. A message
   * is deleted once it is sent. Sending one twice does no harm, because jobs take effect once.
   * @throws if a message could not be sent, or not be deleted afterwards
   */
  async redrive(kind: QueueName): Promise<number> {
    const [to, from] = [urlIn(this.#urls.queues, kind), urlIn(this.#urls.deadLetterQueues, kind)];
    let moved = 0;
    for (;;) {
      const { Messages = [] } = await this.#client.send(
        new ReceiveMessageCommand({ QueueUrl: from, MaxNumberOfMessages: together, WaitTimeSeconds: 1 }),
      );
      if (Messages.length === 0) return moved;
      const sent = await this.#sendAll(to, Messages);
      const Entries = sent.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }));
      const { Failed = [] } = await this.#client.send(
        new DeleteMessageBatchCommand({ QueueUrl: from, Entries }),
      );
      moved += sent.length - Failed.length;
      if (Failed.length > 0)
        throw new Error(
          `${moved} messages were moved. ${Failed.length} more were sent, but are in the dead-letter queue, too; run this again`,
        );
    }
  }

  /**
   * Sends messages and returns them.
   * @throws if any could not be sent; the sent ones then stay in the dead-letter queue, too
   */
  async #sendAll(QueueUrl: string, messages: readonly Message[]): Promise<readonly Message[]> {
    const Entries = messages.map(({ Body }, position) => ({ Id: String(position), MessageBody: Body }));
    const { Failed = [] } = await this.#client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`${Failed.length} messages could not be sent; run this again`);
    return messages;
  }
}

const nameOf = (variable: string): string => variable.slice(queueVariable("").length).toLowerCase();

function urlIn(urls: Readonly<Record<string, string>>, kind: QueueName): string {
  const url = urls[queueVariable(kind)];
  if (url !== undefined) return url;
  const kinds = Object.keys(urls).map(nameOf);
  throw new Usage(`There is no queue of the kind ${kind}; the kinds are ${kinds.toSorted().join(", ")}`);
}
