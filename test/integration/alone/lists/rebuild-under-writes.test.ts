import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { Stale } from "../../../../shared/store/dynamodb/writes.ts";
import { rebuildList } from "../../../../shared/store/lists/repair/rebuild.ts";
import { pick, randomFrom, whole } from "../../../support/http/random.ts";
import {
  type CrateList,
  colors,
  crateList,
  drift,
  expectExact,
  insertCrates,
  sizes,
} from "../../../support/records/crates.ts";
import { killedAt } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ paused: true });

/** Milliseconds between two writes of a writer, so that blocks are idle now and then; fewer at the end. */
const pauses = { early: 150, late: 20 };
let pause = pauses.early;

interface Writer {
  readonly seed: number;
  /** Writes stored so far. */
  written: number;
}

/** Changes the list at random until stopped: inserts, changes and removes records of both owners. */
async function writeUntil(
  stopped: () => boolean,
  crates: CrateList,
  ids: number[],
  writer: Writer,
): Promise<void> {
  const random = randomFrom(writer.seed);
  const { current } = crates;
  const { findAny } = current;
  const chosen = () => ({ color: pick(random, colors), size: pick(random, sizes) });
  while (!stopped()) {
    const position = whole(random, 0, ids.length - 1);
    const chance = random();
    const isNew = chance < 0.2;
    const found = isNew ? undefined : await findAny(service.db, ids[position] ?? 0);
    try {
      if (isNew)
        ids.push(
          ...(await insertCrates(service.db, crates, pick(random, [100, 101]), [chosen()], "current")),
        );
      else if (found !== undefined && chance < 0.3) await transact(service.db, current.remove(found));
      else if (found !== undefined) {
        const after = { ...found.record, ...chosen(), version: found.record.version + 1 };
        await transact(service.db, current.save(found, after));
      }
      writer.written += 1;
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
    }
    await sleep(pause);
  }
}

/** Runs rebuilds that are killed later and later, until one completes. Returns how many were killed. */
async function rebuildDespiteKills({ current }: CrateList): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    // A rebuild takes 37 calls without writers, so it is killed about eleven times.
    const last = 3 + kills + Math.floor((kills * kills) / 5);
    try {
      await rebuildList(killedAt(service, last), current, () => undefined, { settleMs: 5 });
      return kills;
    } catch (error) {
      expect(String(error)).toBe("Error: killed");
    }
  }
}

test("a rebuild that is killed again and again is exact at its end, while four writers continue", async () => {
  const crates = crateList("crate-busy");
  const random = randomFrom(20_261_122);
  const ids: number[] = [];
  // Eight blocks.
  for (let call = 0; call < 8; call += 1) {
    const made = Array.from({ length: 20 }, () => ({
      color: pick(random, colors),
      size: pick(random, sizes),
    }));
    ids.push(...(await insertCrates(service.db, crates, 100 + (call % 2), made)));
  }
  await drift(service.db, crates, 100, ids[0] ?? 0, { "1": 1, "2|10": -1 });
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  const writers: readonly Writer[] = [1, 2, 3, 4].map((seed) => ({ seed, written: 0 }));
  const writing = writers.map((writer) => writeUntil(() => stopped, crates, ids, writer).finally(stop));
  const haveWritten = () => writers.every(({ written }) => written > 10);
  const rebuilding = async (): Promise<number> => {
    const killed = await rebuildDespiteKills(crates);
    pause = pauses.late;
    // A failed writer no longer writes, so nothing waits for it.
    await vi.waitUntil(() => stopped || haveWritten(), { timeout: 60_000, interval: 5 });
    await rebuildList(service.db, crates.current, () => undefined, { settleMs: 5 });
    return killed;
  };
  const [kills] = await Promise.all([rebuilding().finally(stop), ...writing]);

  expect(kills).toBeGreaterThan(7);
  for (const owner of [100, 101]) await expectExact(service.db, crates, owner);
}, 120_000);
