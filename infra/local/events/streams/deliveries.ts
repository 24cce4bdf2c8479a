import type { StreamMappingDefinition } from "../../assembly/stream-mappings.ts";
import { fitting, handledOf, type StreamRecord, sizeOf, toLambda } from "./records.ts";

/** How long a batch that failed waits, in milliseconds. Each further failure doubles it. */
const shortestPause = 50;
const maxPauseMs = 3_000;

/** Bytes of the records that are read at once: as many as DynamoDB gives. DynamoDB Local would give more. */
const comfortable = 1024 * 1024;

/** Calls a function with batches of records: with smaller ones, and after pauses, while it fails. */
export class Deliveries {
  readonly #mapping: StreamMappingDefinition;
  readonly #invoke: (event: unknown) => Promise<string>;
  #limit: number;
  #failures = 0;

  constructor(mapping: StreamMappingDefinition, invoke: (event: unknown) => Promise<string>) {
    this.#mapping = mapping;
    this.#invoke = invoke;
    this.#limit = mapping.batchSize;
  }

  /** How many records the next batch has at most. */
  get limit(): number {
    return this.#limit;
  }

  /** How long to wait before the next batch, in milliseconds; 0 if none has failed. */
  get pause(): number {
    return this.#failures === 0 ? 0 : Math.min(maxPauseMs, shortestPause * 2 ** (this.#failures - 1));
  }

  /** The records that one event is made of: of those that one event holds, those that the function wants. */
  batchOf(records: readonly StreamRecord[]): Batch {
    const taken = fitting(records);
    return { taken, wanted: taken.filter(this.#mapping.wants) };
  }

  /**
   * Calls the function.
   * @returns the last record that is handled; undefined if the first one must be retried
   */
  async deliver({ taken, wanted }: Batch): Promise<StreamRecord | undefined> {
    const failed = wanted.length === 0 ? undefined : wanted[await this.#handle(wanted)];
    const handled = failed === undefined ? taken.length : taken.indexOf(failed);
    this.#adapt(taken, handled);
    return taken[handled - 1];
  }

  /** @returns how many of the records, from the first on, are handled */
  async #handle(wanted: readonly StreamRecord[]): Promise<number> {
    const { streamArn, reportsItemFailures } = this.#mapping;
    try {
      const payload = await this.#invoke({ Records: wanted.map((record) => toLambda(record, streamArn)) });
      return reportsItemFailures ? handledOf(payload, wanted) : wanted.length;
    } catch {
      // The failure is in the log.
      return 0;
    }
  }

  #adapt(taken: readonly StreamRecord[], handled: number): void {
    const { batchSize, bisects } = this.#mapping;
    if (handled === taken.length) {
      const bySize = Math.floor((comfortable * taken.length) / sizeOf(taken));
      this.#failures = 0;
      this.#limit = Math.max(1, Math.min(batchSize, 2 * this.#limit, bySize));
    } else {
      this.#failures += 1;
      if (handled === 0 && bisects) this.#limit = Math.ceil(taken.length / 2);
    }
  }
}

/** What one call of the function is about. */
export interface Batch {
  /** Records of the stream in a row. */
  readonly taken: readonly StreamRecord[];
  /** Those among them that the function is called with. */
  readonly wanted: readonly StreamRecord[];
}
