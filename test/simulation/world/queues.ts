/** Queues in memory, with a standard queue's promises: at least once, in any order. */
import type { SQSRecord } from "aws-lambda";
import { maxDeliveries } from "../../../shared/runtime/shared-names.ts";
import { messageRecord } from "../../support/store/sqs-records.ts";
import type { Random } from "../schedule/random.ts";

interface Message {
  readonly id: number;
  readonly body: string;
  visibleAt: number;
  receives: number;
}

/** How likely a message is delivered again at once. */
const repeats = 0.05;

/** How long a received message stays hidden. */
const visibilityMs = 90_000;

export class Queue {
  /** Messages that failed too often. */
  readonly deadLetters: string[] = [];
  readonly #messages: Message[] = [];
  #ids = 0;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** When the next message can be received: epoch milliseconds, or undefined if there is none. */
  get dueAt(): number | undefined {
    const times = this.#messages.map(({ visibleAt }) => visibleAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  add(body: string, visibleAt: number): void {
    this.#ids += 1;
    this.#messages.push({ id: this.#ids, body, visibleAt, receives: 0 });
  }

  /** Receives some messages. Those that failed too often become dead letters. */
  receive(random: Random, now: number): readonly SQSRecord[] {
    const visible = this.#messages.filter(({ visibleAt }) => visibleAt <= now);
    const batch = visible.slice(0, 1 + random.below(10));
    for (const message of batch) {
      message.visibleAt = now + (random.happens(repeats) ? 0 : visibilityMs);
      message.receives += 1;
      if (message.receives <= maxDeliveries) continue;
      this.delete(String(message.id));
      this.deadLetters.push(message.body);
    }
    return batch
      .filter(({ receives }) => receives <= maxDeliveries)
      .map(({ id, body, receives }) => messageRecord(String(id), body, receives));
  }

  delete(id: string): void {
    const place = this.#messages.findIndex((message) => String(message.id) === id);
    if (place >= 0) this.#messages.splice(place, 1);
  }

  /** Returns a message to the queue. */
  release(id: string, now: number): void {
    for (const message of this.#messages) if (String(message.id) === id) message.visibleAt = now;
  }
}
