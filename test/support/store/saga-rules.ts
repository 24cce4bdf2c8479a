/** Rules of records in steps, for every flow that stores one. */
import { describe, expect, test } from "vitest";
import type { idempotently } from "../../../shared/http/idempotent-call.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { dyingAfter, troubledDatabase } from "../records/troubled.ts";
import type { OwnService } from "../runtime/own-service.ts";
import { expireKeyLocks } from "./key-locks.ts";
import { expectNoSagaInProgress, expectSettled, sweep } from "./sagas.ts";

/** A call, which can be made again with the same key. */
export type Send = (db: Database) => ReturnType<typeof idempotently>;

/** A call about one large record. */
export interface Call {
  /** The call with a new key. */
  readonly begin: () => Send;
  /** What its answer contains. */
  readonly says: string;
  /** How the record shows to clients. */
  readonly shown: () => Promise<string>;
  /** How it shows before the call and after it. */
  readonly before: string;
  readonly after: string;
}

/**
 * What holds for every flow that is stored in steps, however many of its transactions are struck: it takes
 * effect whole and once. The service is the file's own, and paused.
 */
export const stepRules = (
  get: () => OwnService,
  flows: Readonly<Record<string, () => Promise<Call>>>,
): void => {
  describe.each(Object.entries(flows))("a large %s", (_name, prepare) => {
    /**
     * Has a call die after each number of writes, then takes `next`, until a call survives. Where `next`
     * answers that nothing is stored of the call's record, another call is about the same.
     */
    async function dyingEverywhere(
      next: (call: Call, send: Send, diedAt: string) => Promise<"stored" | "untouched">,
    ): Promise<void> {
      let call = await prepare();
      for (let writes = 0; ; writes += 1) {
        const send = call.begin();
        const survived = await send(dyingAfter(get(), writes)).catch(() => undefined);
        if (survived !== undefined) return;
        if ((await next(call, send, await call.shown())) === "stored") call = await prepare();
      }
    }

    test("by a call that dies anywhere is stored whole or not at all once the sweeper came by", async () => {
      const found: string[] = [];

      await dyingEverywhere(async ({ before, after, shown }, _send, diedAt) => {
        await sweep(get().db);
        const names: Readonly<Record<string, string>> = { [before]: "before", [after]: "after" };
        const now = await shown();
        found.push(`${names[diedAt] ?? diedAt} then ${names[now] ?? now}`);
        return now === before ? "untouched" : "stored";
      });

      // Without the sweeper the record shows once all steps are carried out: where the answer of the last one
      // is lost.
      expect(found.join()).toMatch(/^(before then before,)+(before then after,)+after then after$/);
      await expectNoSagaInProgress(get());
    });

    test("by a call that dies anywhere is stored once a retry came, which is answered as the call would have been", async () => {
      await dyingEverywhere(async (call, send) => {
        await expireKeyLocks(get());

        const { statusCode, body } = await send(get().db);

        expect([statusCode, await call.shown()]).toEqual([200, call.after]);
        expect(body).toContain(call.says);
        return "stored";
      });
      await expectNoSagaInProgress(get());
    });

    test("takes effect once through a conflict and a lost answer at every transaction", async () => {
      const call = await prepare();
      const fine = { after: async () => undefined };
      const ofEach = ["conflict", "lose-response", fine] as const;
      const troubled = troubledDatabase(get(), ...ofEach, ...ofEach, ...ofEach);

      const { statusCode } = await call.begin()(troubled.db);

      expect([statusCode, troubled.hits, await call.shown()]).toEqual([200, 9, call.after]);
      await expectNoSagaInProgress(get());
    });

    test("takes effect once where two sweepers carry out its steps at the same time", async () => {
      const call = await prepare();
      const racing = troubledDatabase(get());
      const sweeps: Promise<unknown>[] = [];
      const before = async () => void sweeps.push(sweep(get().db), sweep(get().db));
      for (let count = 0; count < 4; count += 1) racing.add({ before });

      const { statusCode } = await call.begin()(racing.db);
      await Promise.all(sweeps);

      expect([statusCode, await call.shown()]).toEqual([200, call.after]);
      await expectNoSagaInProgress(get());
    });
  });

  // What the calls above left wrong would stay wrong, so the books of all of them are read once.
  test("large records leave nothing of their steps behind, and books that agree", () => expectSettled(get()));
};
