import { describe, expect, onTestFinished, test, vi } from "vitest";
import { accessOf } from "../../../infra/access.ts";
import { logger } from "../../../shared/runtime/log.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { tablesIn } from "../../../shared/store/permits.ts";
import { type ChangeBatch, defineStream, handleBatch } from "../../../shared/streams/stream.ts";
import { recordOf, variables } from "./records.ts";

const surroundings = { db: connect({}), variables, remaining: () => 1_000 };
const three = [recordOf(1), recordOf(2), recordOf(3)];
const idsOf = ({ changes }: ChangeBatch) => changes.map(({ id }) => id);
const noted = { kept: 3 };

describe("a batch of changes", () => {
  test("is handled whole, in order, with the time that is left", async () => {
    const seen: unknown[] = [];
    const run = async (batch: ChangeBatch) => {
      seen.push(idsOf(batch), batch.remaining());
      return noted;
    };

    const answer = await handleBatch(run, three, surroundings);

    expect(seen).toEqual([["event-1", "event-2", "event-3"], 1_000]);
    expect(answer).toEqual({ batchItemFailures: [] });
  });

  test("that fails is delivered again as a whole, because the function fails", async () => {
    const run = async () => {
      throw new Error("no time");
    };

    await expect(handleBatch(run, three, surroundings)).rejects.toThrow("no time");
  });

  test("that meets a busy database is given back from its first change on, and the function does not fail", async () => {
    const [warnings, errors] = [vi.spyOn(logger, "warn"), vi.spyOn(logger, "error")];
    onTestFinished(() => void vi.restoreAllMocks());
    const run = async () => {
      throw new Busy();
    };

    const answer = await handleBatch(run, three, surroundings);

    expect(answer).toEqual({
      batchItemFailures: [{ itemIdentifier: three[0]?.dynamodb?.SequenceNumber }],
    });
    // The saved query of the runbook reads `error.message`.
    expect(warnings.mock.calls).toEqual([
      [expect.stringContaining("not handled"), expect.objectContaining({ error: expect.any(Busy) })],
    ]);
    expect(errors).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test("that fails leaves nothing of its items in the log, but which change it was", async () => {
    const written = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation(() => true),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const secret = { ...recordOf(2).dynamodb, NewImage: { name: { S: "Grace Hopper" } } };
    const run = async () => {
      throw new Error("busy");
    };

    const handling = handleBatch(run, [recordOf(2, { dynamodb: secret })], surroundings);

    await expect(handling).rejects.toThrow("busy");
    const line = JSON.stringify(written.map(({ mock }) => mock.calls));

    expect(line).toContain("event-2");
    expect(line).not.toContain("Grace");
  });

  test("with a malformed record fails as a whole", async () => {
    const run = async () => noted;

    await expect(handleBatch(run, [...three, recordOf(4, { dynamodb: {} })], surroundings)).rejects.toThrow(
      /is incomplete/,
    );
  });
});

test("a stream function reaches what it states, and the lists of the records that it writes", () => {
  const { stream } = defineStream(
    { changesOf: { orders: ["order#"] }, access: { orders: "write-records" }, sends: [] },
    () => async () => noted,
  );

  expect(stream).toMatchObject({ type: "stream", changesOf: { orders: ["order#"] } });
  expect(tablesIn(accessOf(stream))).toEqual(["identity", "orders", "jobs", "tallies", "directory"]);
});
