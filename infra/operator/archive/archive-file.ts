/**
 * The file of an archive: JSON lines, packed by gzip. The first line says what was archived, each of the next
 * is a whole order, and the last has their number and the SHA-256 of all lines before it.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod/mini";
import { invalid } from "../../../shared/common/problem.ts";
import type { ArchiveStore } from "./archive-store.ts";

const heading = z.object({
  archive: z.literal("orders"),
  /** All orders last changed before this day were meant: of an account, or of all. */
  before: z.string(),
  account_id: z.nullable(z.int()),
});
export type Heading = z.output<typeof heading>;

const ending = z.object({ orders: z.int(), sha256: z.string() });
/** What a complete file ends with. */
export type Ending = z.output<typeof ending>;

/** A whole order's line begins with its order. */
const isOrder = (line: string): boolean => line.startsWith('{"order":');

const identified = z.object({
  order: z.object({ order_id: z.int(), order_number: z.string(), account_id: z.int() }),
});

/** What identifies the order of a line. */
export const idsIn = (line: string) => z.parse(identified, JSON.parse(line)).order;

/** The lines of a file of these orders. `written` is called with the ending. */
async function* linesOf(
  first: Heading,
  orders: AsyncIterable<string>,
  written: (end: Ending) => void,
): AsyncGenerator<string, void> {
  const hash = createHash("sha256");
  const hashed = (line: string): string => {
    hash.update(line);
    return line;
  };
  yield hashed(`${JSON.stringify(first)}\n`);
  let count = 0;
  for await (const order of orders) {
    count += 1;
    yield hashed(`${order}\n`);
  }
  const end = { orders: count, sha256: hash.digest("hex") };
  written(end);
  yield `${JSON.stringify(end)}\n`;
}

/** Writes a file of orders, each as its line. */
export async function writeArchive(
  file: string,
  first: Heading,
  orders: AsyncIterable<string>,
): Promise<Ending> {
  let end: Ending | undefined;
  const lines = linesOf(first, orders, (written) => {
    end = written;
  });
  // It holds customers' data, so only its owner may read it.
  await pipeline(lines, createGzip(), createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  if (end === undefined) throw new Error("the archive was not written to its end");
  return end;
}

/** The unpacked lines of an archive. @throws Problem if there is none, or it is damaged */
async function* linesIn(archive: ArchiveStore): AsyncGenerator<string, void> {
  const packed = await archive.read();
  if (packed === undefined) throw invalid(`There is no archive ${archive.name}`);
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

const damaged = ({ name }: ArchiveStore) => invalid(`${name} is no complete archive of orders`);

/** The lines of the orders of an archive. */
export async function* ordersIn(archive: ArchiveStore): AsyncGenerator<string, void> {
  for await (const line of linesIn(archive)) if (isOrder(line)) yield line;
}

/**
 * Reads an archive to its end, and compares the number and the digest of its lines with what it states.
 * @throws Problem if they differ
 */
export async function verifiedArchive(archive: ArchiveStore): Promise<Heading & Ending> {
  const hash = createHash("sha256");
  let first: Heading | undefined;
  let end: Ending | undefined;
  let orders = 0;
  for await (const line of linesIn(archive)) {
    if (end !== undefined) throw damaged(archive);
    const parsed = isOrder(line) ? undefined : parsedJson(line);
    end = z.safeParse(ending, parsed).data;
    if (end !== undefined) continue;
    hash.update(`${line}\n`);
    first ??= z.safeParse(heading, parsed).data;
    if (isOrder(line)) orders += 1;
  }
  if (first === undefined || end === undefined) throw damaged(archive);
  if (end.orders !== orders || end.sha256 !== hash.digest("hex")) throw damaged(archive);
  return { ...first, ...end };
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
