/** The queues of jobs, as operators use them. Messages that failed lie in the dead-letter queue behind each. */
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from "@aws-sdk/client-sqs";
import { queueVariable } from "../../../shared/lambda/contract.ts";
import type { JobKind } from "../../../shared/lambda/job-kinds.ts";
import { Usage } from "./failures.ts";

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

  /** Sends one message. @throws Usage where no queue is of this kind */
  async send(kind: JobKind, text: string): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({ QueueUrl: urlIn(this.#urls.queues, kind), MessageBody: text }),
    );
  }

  /**
   * Sends all messages of a kind's dead-letter queue to its queue again, and answers how many they were. A message is
   * deleted once it is sent. One that is sent twice does no harm, since jobs take effect once.
   */
  async redrive(kind: JobKind): Promise<number> {
    const [to, from] = [urlIn(this.#urls.queues, kind), urlIn(this.#urls.deadLetterQueues, kind)];
    let moved = 0;
    for (;;) {
      const { Messages = [] } = await this.#client.send(
        new ReceiveMessageCommand({ QueueUrl: from, MaxNumberOfMessages: together, WaitTimeSeconds: 1 }),
      );
      if (Messages.length === 0) return moved;
      const sent = await this.#sendAll(to, Messages);
      const Entries = sent.map(({ ReceiptHandle }, position) => ({ Id: String(position), ReceiptHandle }));
      await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: from, Entries }));
      moved += sent.length;
    }
  }

  /** Sends messages; answers them. @throws where any of them could not be sent: those that were sent stay where they were, too */
  async #sendAll(QueueUrl: string, messages: readonly Message[]): Promise<readonly Message[]> {
    const Entries = messages.map(({ Body }, position) => ({ Id: String(position), MessageBody: Body }));
    const { Failed = [] } = await this.#client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`${Failed.length} messages could not be sent; run this again`);
    return messages;
  }
}

function urlIn(urls: Readonly<Record<string, string>>, kind: JobKind): string {
  const url = urls[queueVariable(kind)];
  if (url !== undefined) return url;
  const kinds = Object.keys(urls).map((variable) => variable.slice(queueVariable("").length).toLowerCase());
  throw new Usage(`There is no queue of the kind ${kind}; the kinds are ${kinds.toSorted().join(", ")}`);
}
