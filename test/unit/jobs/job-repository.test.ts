import { expect, test } from "vitest";
import {
  finishApplied,
  finishFailed,
  insertJob,
  noteResent,
  parseJob,
  parseOverdue,
} from "../../../shared/jobs/job-repository.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { insertOf } from "../../../shared/store/dynamodb/writes.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, later } from "../samples.ts";

const inserted = insertJob("recount", { job_id: 7, by: "user:ann", payload: {} }, createdAt);
const { item } = inserted;

test("a job is sent again 45 seconds after it was accepted, and then after twice as long each time", () => {
  const job = parseJob(item);

  const changes = [0, 1, 2].map((resent) => noteResent({ ...job, resent }, createdAt));

  const times = [job.check_at, ...changes.map(({ set }) => String(set?.["check_at"]))];
  const seconds = times.map((time) => (Date.parse(time) - Date.parse(createdAt)) / 1000);
  expect(seconds).toEqual([45, 90, 180, 360]);
});

test("a job that the index shows as due is due by its own record, which may have been checked since", () => {
  const found = [later, createdAt].map((now) => parseOverdue(() => item, now));

  expect(found).toEqual([parseJob(item), undefined]);
});

test("a job that two sweepers find due is sent again by one of them", async () => {
  const { db } = faultyStore();
  await transact(db, [inserted]);
  const note = () => transact(db, [noteResent(parseJob(item), later)]);

  await note();

  await expect(note()).rejects.toThrow("changed meanwhile");
});

test("a job that ends after the sweeper has read it is not noted as sent again", async () => {
  const { db } = faultyStore();
  await transact(db, [inserted]);
  await transact(db, [finishApplied(7, { at: later, attempts: 1 })]);

  await expect(transact(db, [noteResent(parseJob(item), later)])).rejects.toThrow("changed meanwhile");
});

test("a job fails, and what its acceptance changed is undone, only under the conditions that its plan states", async () => {
  const { db } = faultyStore();
  const lookup = { table: "inventory", key: { pk: "bin", sk: "A1" } } as const;
  const undo = { ...lookup, add: { expected: 3 }, remove: [] };
  await transact(db, [inserted, insertOf(lookup, { quantity: 5, expected: 2 })]);
  const fail = (quantity: number) =>
    transact(
      db,
      finishFailed({ job_id: 7, undo }, "too few are left", { at: later, attempts: 1 }, [
        { attribute: "quantity", equals: quantity },
      ]),
    );

  await expect(fail(4)).rejects.toThrow("changed meanwhile");
  const before = await getItem(db, lookup);
  await fail(5);

  expect([before, await getItem(db, lookup)]).toMatchObject([{ expected: 2 }, { expected: 5 }]);
});
