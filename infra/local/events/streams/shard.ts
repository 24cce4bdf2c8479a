import { type Position, positionOf } from "./checkpoints.ts";
import { type Read, type StreamCalls, StreamError } from "./client.ts";
import type { StreamRecord } from "./records.ts";

/** DynamoDB's answer if records after a position have expired, or an iterator is older than 15 minutes. */
const trimmed = "TrimmedDataAccessException";
const expired = "ExpiredIteratorException";

/** Reads one shard of a stream, starting after a position. */
export class ShardReader {
  readonly id: string;
  readonly #client: StreamCalls;
  readonly #stream: string;
  #position: Position | undefined;
  /** The iterator after the position; undefined if it must be requested. */
  #iterator: string | undefined;
  #read: Read = { records: [], next: undefined };
  #isDone = false;

  constructor(client: StreamCalls, stream: string, id: string, position: Position | undefined) {
    this.#client = client;
    this.#stream = stream;
    this.id = id;
    this.#position = position;
  }

  /** Whether all of it is delivered and nothing more will come. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The first records after the position; none if there are none yet. */
  async read(limit: number): Promise<readonly StreamRecord[]> {
    this.#read = await this.#readOn(limit);
    if (this.#read.records.length === 0) this.#follow();
    return this.#read.records;
  }

  /**
   * Makes the next read begin after one of the last records read.
   * @returns the new position
   */
  moveBehind(record: StreamRecord): Position {
    if (record === this.#read.records.at(-1)) this.#follow();
    else this.#iterator = undefined;
    this.#position = positionOf(record);
    return this.#position;
  }

  /** Continues at the end of the last read. */
  #follow(): void {
    this.#iterator = this.#read.next;
    this.#isDone = this.#read.next === undefined;
  }

  async #readOn(limit: number): Promise<Read> {
    try {
      return await this.#readBehind(this.#position, limit);
    } catch (error) {
      this.#iterator = undefined;
      if (!(error instanceof StreamError)) throw error;
      if (error.code === expired) return this.#readBehind(this.#position, limit);
      // The first record after the position has expired, at an age of 24 hours. The remaining ones are newer.
      if (error.code === trimmed) return this.#readBehind(undefined, limit);
      throw error;
    }
  }

  async #readBehind(position: Position | undefined, limit: number): Promise<Read> {
    this.#iterator ??= await this.#client.iterator(this.#stream, this.id, position?.sequenceNumber);
    return this.#client.read(this.#iterator, limit);
  }
}
