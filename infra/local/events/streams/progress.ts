import type { Checkpoints, Position } from "./checkpoints.ts";
import type { StreamCalls } from "./client.ts";
import type { StreamRecord } from "./records.ts";
import { ShardReader } from "./shard.ts";

/** The progress of one event source mapping in the stream of a table. */
export class Progress {
  readonly #name: string;
  readonly #table: string;
  readonly #client: StreamCalls;
  readonly #checkpoints: Checkpoints;
  #stream = "";
  #positions = new Map<string, Position>();
  readonly #done = new Set<string>();
  #shards: readonly ShardReader[] | undefined;

  /** @param name identifies the mapping in the deployment */
  constructor(name: string, table: string, client: StreamCalls, checkpoints: Checkpoints) {
    this.#name = name;
    this.#table = table;
    this.#client = client;
    this.#checkpoints = checkpoints;
  }

  /** The shards to read now. A child follows once its parent is finished. */
  async shards(): Promise<readonly ShardReader[]> {
    this.#shards ??= await this.#lookUp();
    return this.#shards;
  }

  /** Marks the records up to this one as delivered. */
  keep(shard: ShardReader, last: StreamRecord): void {
    this.#positions.set(shard.id, shard.moveBehind(last));
    this.#checkpoints.save(this.#name, this.#stream, this.#positions);
  }

  /** Marks a closed shard as delivered. Its children are looked up. */
  finish(shard: ShardReader): void {
    this.#done.add(shard.id);
    this.forget();
  }

  /** Makes the next read look up the shards again. */
  forget(): void {
    this.#shards = undefined;
  }

  async #lookUp(): Promise<readonly ShardReader[]> {
    const stream = await this.#client.streamOf(this.#table);
    if (stream !== this.#stream) this.#positions = this.#checkpoints.load(this.#name, stream);
    this.#stream = stream;
    const left = (await this.#client.shards(stream)).filter(({ ShardId }) => !this.#done.has(ShardId));
    const ids = new Set(left.map(({ ShardId }) => ShardId));
    return left
      .filter(({ ParentShardId: parent }) => parent === undefined || !ids.has(parent))
      .map(({ ShardId: id }) => new ShardReader(this.#client, stream, id, this.#positions.get(id)));
  }
}
