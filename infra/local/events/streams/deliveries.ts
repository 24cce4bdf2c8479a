import type { StreamMappingDefinition } from "../../assembly/stream-mappings.ts";
import { fitting, handledOf, type StreamRecord, sizeOf, toLambda } from "./records.ts";

/** The pause after a failed batch, in milliseconds. Each further failure doubles it. */
const shortestPause = 50;
const maxPauseMs = 3_000;

/** The bytes of records to read at once: as many as DynamoDB returns. DynamoDB Local would return more. */
const comfortable = 1024 * 1024;

/** Calls a function with batches of records. While it fails, batches are smaller and pauses longer. */
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

  /** The maximum number of records of the next batch. */
  get limit(): number {
    return this.#limit;
  }

  /** How long to wait before the next batch, in milliseconds; 0 if none has failed. */
  get pause(): number {
    return this.#failures === 0 ? 0 : Math.min(maxPauseMs, shortestPause * 2 ** (this.#failures - 1));
  }

  /** The records of one event: of those that fit, the ones that the function's filters pass. */
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

  /** @returns how many of the first records are handled */
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

/** The records of one call of the function. */
export interface Batch {
  /** Consecutive records of the stream. */
  readonly taken: readonly StreamRecord[];
  /** Those of them that are passed to the function. */
  readonly wanted: readonly StreamRecord[];
}
