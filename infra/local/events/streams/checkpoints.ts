import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../json.ts";
import type { StreamRecord } from "./records.ts";

const position = z.object({
  /** The last handled record. */
  sequenceNumber: z.string(),
  /** When that item changed, in seconds since 1970. */
  changed: z.number(),
});

const checkpoint = z.object({ stream: z.string(), shards: z.record(z.string(), position) });

/** The progress of a shard. */
export type Position = z.infer<typeof position>;

export const positionOf = ({ dynamodb }: StreamRecord): Position => ({
  sequenceNumber: dynamodb.SequenceNumber,
  changed: dynamodb.ApproximateCreationDateTime,
});

/** How long DynamoDB keeps records, in seconds. */
const retention = 24 * 60 * 60;

/** The progress of a runtime's event source mappings. Without a folder, it is not kept. */
export class Checkpoints {
  readonly #folder: string | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** The positions in this stream's shards, as last saved. */
  load(mapping: string, stream: string, now = Date.now()): Map<string, Position> {
    const saved = checkpoint.safeParse(this.#read(mapping));
    if (!saved.success || saved.data.stream !== stream) return new Map();
    // Everything delivered before such a position has left the stream as well, so its oldest record is new.
    // Once DynamoDB Local has forgotten all records, it numbers them from 1 again, and the position would be
    // wrong.
    const isKept = ([, { changed }]: [string, Position]) => now / 1000 - changed < retention;
    return new Map(Object.entries(saved.data.shards).filter(isKept));
  }

  /** Saves the positions atomically, even if this process is killed while it saves. */
  save(mapping: string, stream: string, positions: ReadonlyMap<string, Position>): void {
    if (this.#folder === undefined) return;
    mkdirSync(this.#folder, { recursive: true });
    const file = join(this.#folder, `${mapping}.json`);
    writeFileSync(`${file}.new`, JSON.stringify({ stream, shards: Object.fromEntries(positions) }));
    renameSync(`${file}.new`, file);
  }

  #read(mapping: string): unknown {
    if (this.#folder === undefined) return undefined;
    try {
      return parseJson(readFileSync(join(this.#folder, `${mapping}.json`), "utf8"));
    } catch {
      return undefined;
    }
  }
}
