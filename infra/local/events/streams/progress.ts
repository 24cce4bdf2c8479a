import type { Checkpoints, Position } from "./checkpoints.ts";
import type { StreamCalls } from "./client.ts";
import type { StreamRecord } from "./records.ts";
import { ShardReader } from "./shard.ts";

/** How far one event source mapping has come with the stream of a table. */
export class Progress {
  readonly #name: string;
  readonly #table: string;
  readonly #client: StreamCalls;
  readonly #checkpoints: Checkpoints;
  #stream = "";
  #positions = new Map<string, Position>();
  readonly #done = new Set<string>();
  #shards: readonly ShardReader[] | undefined;

  /** @param name names the mapping among all of the deployment */
  constructor(name: string, table: string, client: StreamCalls, checkpoints: Checkpoints) {
    this.#name = name;
    this.#table = table;
    this.#client = client;
    this.#checkpoints = checkpoints;
  }

  /** The shards that are to be read now. One that follows on another is none of them until that one is finished. */
  async shards(): Promise<readonly ShardReader[]> {
    this.#shards ??= await this.#lookUp();
    return this.#shards;
  }

  /** Counts the records up to this one as told. */
  keep(shard: ShardReader, last: StreamRecord): void {
    this.#positions.set(shard.id, shard.moveBehind(last));
    this.#save();
  }

  /** Counts a closed shard as told. Those that follow on it are looked up. */
  finish(shard: ShardReader): void {
    this.#done.add(shard.id);
    this.forget();
  }

  /** Counts as told only what is before this position. */
  goBack(shard: string, position: Position | undefined): void {
    if (position === undefined) this.#positions.delete(shard);
    else this.#positions.set(shard, position);
    this.#done.delete(shard);
    this.forget();
    this.#save();
  }

  /** Has the shards looked up again. */
  forget(): void {
    this.#shards = undefined;
  }

  #save(): void {
    this.#checkpoints.save(this.#name, this.#stream, this.#positions);
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
