/**
 * The file of an archive of orders or history: JSON lines, packed by gzip. The first line says what was
 * archived, each of the next is a record, and the last has their number and the SHA-256 of all lines before
 * it.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";
import { Usage } from "../cli/outcome.ts";
import type { ArchiveStore } from "./archive-store.ts";

const heading = z.object({
  archive: z.enum(["orders", "history"]),
  /** All records from before this day were meant: of an account, or of all. */
  before: z.string(),
  account_id: z.nullable(z.int()),
});
export type Heading = z.output<typeof heading>;

const ending = z.object({ orders: z.optional(z.int()), records: z.optional(z.int()), sha256: z.string() });

/** What a complete file ends with: how many records it has, and their digest. */
export interface Ending {
  readonly count: number;
  readonly sha256: string;
}

type Kind = Heading["archive"];

/** A whole order's line begins with its order, and one of history with its kind. */
const beginnings: Readonly<Record<Kind, string>> = { orders: '{"order":', history: '{"kind":' };

const isRecord = (line: string, kind: Kind): boolean => line.startsWith(beginnings[kind]);

const identified = z.object({
  order: z.object({ order_id: z.int(), order_number: z.string(), account_id: z.int() }),
});

export const idsIn = (line: string) => z.parse(identified, JSON.parse(line)).order;

/** The lines of a file of these records. `written` is called with the ending. */
async function* linesOf(
  first: Heading,
  records: AsyncIterable<string>,
  written: (end: Ending) => void,
): AsyncGenerator<string, void> {
  const hash = createHash("sha256");
  const hashed = (line: string): string => {
    hash.update(line);
    return line;
  };
  yield hashed(`${JSON.stringify(first)}\n`);
  let count = 0;
  for await (const record of records) {
    count += 1;
    yield hashed(`${record}\n`);
  }
  const sha256 = hash.digest("hex");
  written({ count, sha256 });
  yield `${JSON.stringify(first.archive === "orders" ? { orders: count, sha256 } : { records: count, sha256 })}\n`;
}

export async function writeArchive(
  file: string,
  first: Heading,
  records: AsyncIterable<string>,
): Promise<Ending> {
  let end: Ending | undefined;
  const lines = linesOf(first, records, (written) => {
    end = written;
  });
  // It holds customers' data, so only its owner may read it.
  const target = await open(file, "wx", 0o600);
  await pipeline(lines, createGzip(), target.createWriteStream({ flush: true }));
  if (end === undefined) throw new Error("the archive was not written to its end");
  return end;
}

/** The unpacked lines of an archive. @throws Usage if there is none, or it is damaged */
async function* linesIn(archive: ArchiveStore): AsyncGenerator<string, void> {
  const packed = await archive.read();
  if (packed === undefined) throw new Usage(`There is no archive ${archive.name}`);
  const unpacked = createGunzip().setEncoding("utf8");
  // What fails on the way is thrown below.
  pipeline(packed, unpacked).catch(() => undefined);
  let rest = "";
  try {
    for await (const chunk of unpacked) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw error instanceof Error && "code" in error && String(error.code).startsWith("Z_")
      ? damaged(archive)
      : error;
  }
  if (rest !== "") yield rest;
}

const damaged = ({ name }: ArchiveStore) => new Usage(`${name} is no complete archive`);

export async function* recordLines(archive: ArchiveStore, kind: Kind): AsyncGenerator<string, void> {
  for await (const line of linesIn(archive)) if (isRecord(line, kind)) yield line;
}

/**
 * Reads an archive to its end, and compares the number and the digest of its lines with what it states.
 * @throws Usage if they differ, or it is of another kind
 */
export async function verifiedArchive(archive: ArchiveStore, kind: Kind): Promise<Heading & Ending> {
  const hash = createHash("sha256");
  let first: Heading | undefined;
  let end: z.output<typeof ending> | undefined;
  let records = 0;
  for await (const line of linesIn(archive)) {
    if (end !== undefined) throw damaged(archive);
    const parsed = isRecord(line, kind) ? undefined : parsedJson(line);
    end = z.safeParse(ending, parsed).data;
    if (end !== undefined) continue;
    hash.update(`${line}\n`);
    first ??= z.safeParse(heading, parsed).data;
    if (isRecord(line, kind)) records += 1;
  }
  if (first === undefined || end === undefined) throw damaged(archive);
  if (first.archive !== kind) throw new Usage(`${archive.name} is no archive of ${kind}`);
  if ((end.orders ?? end.records) !== records || end.sha256 !== hash.digest("hex")) throw damaged(archive);
  return { ...first, count: records, sha256: end.sha256 };
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
