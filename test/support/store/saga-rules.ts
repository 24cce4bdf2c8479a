/** Rules of sagas, for every flow that stores a record by one. */
import { describe, expect, test } from "vitest";
import type { idempotently } from "../../../shared/http/idempotent-call.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { dyingAfter, troubledDatabase } from "../records/troubled.ts";
import type { OwnService } from "../runtime/own-service.ts";
import { expireKeyLocks } from "./key-locks.ts";
import { expectNoSagaInProgress, expectSettled, resumeAll } from "./sagas.ts";

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
export const sagaRules = (
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

    test("by a call that dies anywhere is stored whole or not at all once `resume-sagas` has run", async () => {
      const found: string[] = [];

      await dyingEverywhere(async ({ before, after, shown }, _send, diedAt) => {
        await resumeAll(get().db);
        const names: Readonly<Record<string, string>> = { [before]: "before", [after]: "after" };
        const now = await shown();
        found.push(`${names[diedAt] ?? diedAt} then ${names[now] ?? now}`);
        return now === before ? "untouched" : "stored";
      });

      // Without `resume-sagas`, the record is visible after the last step, whose answer is lost here.
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

    test("takes effect once if two runs of `resume-sagas` execute its steps at the same time", async () => {
      const call = await prepare();
      const racing = troubledDatabase(get());
      const runs: Promise<unknown>[] = [];
      const before = async () => void runs.push(resumeAll(get().db), resumeAll(get().db));
      for (let count = 0; count < 4; count += 1) racing.add({ before });

      const { statusCode } = await call.begin()(racing.db);
      await Promise.all(runs);

      expect([statusCode, await call.shown()]).toEqual([200, call.after]);
      await expectNoSagaInProgress(get());
    });
  });

  // What the calls above left wrong would stay wrong, so the books of all of them are read once.
  test("large records leave no saga behind, and stock, lists and movements agree", () =>
    expectSettled(get()));
};
