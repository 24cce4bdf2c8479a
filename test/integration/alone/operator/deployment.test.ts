/**
 * The record of a deployment: what is refused, and that every stored item is of a kind that the release
 * states.
 */

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { storedKinds } from "../../../../infra/data-model/kinds.ts";
import { recordDeployment } from "../../../../infra/data-model/record-deployment.ts";
import { version } from "../../../../infra/release/released.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { deploymentLookup, parseDeployment } from "../../../../shared/store/layouts/deployment.ts";
import { isOfKind } from "../../../../shared/store/layouts/layouts.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { startReceiver } from "../../../support/http/receiver.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";

// Functions read the record while they load.
const service = await ownService({ cold: new Set(["oms/ping", "jobs/roll-up-counters"]) });

const recorded = () => getItem(service.db, deploymentLookup);

/** What a release of this layout accepts, if it says what has changed since the layout before. */
const accepting = (current: number, indexes: readonly string[] = []) => ({
  current,
  oldest: Math.max(1, current - 1),
  newest: current,
  indexes,
});

/** Says that the data have another layout, while something is done. */
async function withLayout<T>(layout: number, work: () => Promise<T>): Promise<T> {
  await setLayout(layout, layout);
  try {
    return await work();
  } finally {
    await setLayout(1, 1);
  }
}

const setLayout = (layout: number, writes: number) =>
  service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName("identity"),
      Key: { ...deploymentLookup.key },
      UpdateExpression: "SET data_layout = :layout, writes_layout = :writes",
      ExpressionAttributeValues: { ":layout": layout, ":writes": writes },
    }),
  );

describe("a deployment", () => {
  test("begins with the layout of its release", async () => {
    expect(await recorded()).toMatchObject({ data_layout: 1, writes_layout: 1, release: version });
  });

  test("of the same layout changes the release alone, however often it is repeated", async () => {
    await recordDeployment(service.db, { release: "1.0.1", ...accepting(1) });
    await recordDeployment(service.db, { release: "1.0.1", ...accepting(1) });

    expect(await recorded()).toMatchObject({ data_layout: 1, release: "1.0.1" });
  });

  test("of the next layout says what is written from now on, which only a release that reads it may follow", async () => {
    await recordDeployment(service.db, { release: "2.0.0", ...accepting(2) });
    const upgraded = await recorded();
    const refused = recordDeployment(service.db, { release: "1.0.1", ...accepting(1) });
    await expect(refused).rejects.toThrow(/layout 2, expected 1; release 2\.0\.0 was deployed last/);
    await recordDeployment(service.db, { release: "1.1.0", ...accepting(1), newest: 2 });
    const downgraded = await recorded();
    await recordDeployment(service.db, { release: "2.0.0", ...accepting(2) });

    expect(upgraded).toMatchObject({ data_layout: 1, writes_layout: 2, release: "2.0.0" });
    expect(downgraded).toMatchObject({ data_layout: 1, writes_layout: 2, release: "1.1.0" });
  });

  test("keeps an index complete while each release states it, and until one does not", async () => {
    const complete = async (): Promise<unknown> => parseDeployment(await recorded())?.complete_indexes;
    const set = { complete_indexes: ["product-sku"], indexes_release: "2.0.0" };
    await transact(service.db, [{ kind: "change", ...deploymentLookup, set, when: [] }]);
    const before = await complete();

    await recordDeployment(service.db, { release: "2.1.0", ...accepting(2, ["product-sku", "other"]) });
    const after = await complete();
    // Release 1.0.0 changes nothing else in the record.
    const old = { release: "1.0.0" };
    await transact(service.db, [{ kind: "change", ...deploymentLookup, set: old, when: [] }]);
    const downgraded = await complete();
    await recordDeployment(service.db, { release: "2.1.0", ...accepting(2, ["product-sku"]) });

    expect([before, after]).toEqual([["product-sku"], ["product-sku"]]);
    expect([downgraded, await complete()]).toEqual([[], []]);
  });

  test("that goes back below the layout of the data is refused", async () => {
    await withLayout(2, () =>
      expect(recordDeployment(service.db, { release: "0.9.9", ...accepting(1) })).rejects.toThrow(
        /expected 1;/,
      ),
    );
  });

  test("that is rolled back to its release is not refused, as its stack would be left half way", async () => {
    await recordDeployment(service.db, { release: "1.0.0", ...accepting(1) });

    await withLayout(2, () => recordDeployment(service.db, { release: "1.0.0", ...accepting(1) }));

    expect(await recorded()).toMatchObject({ data_layout: 1, release: "1.0.0" });
  });

  test("of a release of the same name, whose layout is another, is no repetition", async () => {
    await recordDeployment(service.db, { release: "1.0.0", ...accepting(2) });

    const refused = await withLayout(2, () =>
      recordDeployment(service.db, { release: "1.0.0", ...accepting(1) }).catch((error: unknown) => error),
    );

    await recordDeployment(service.db, { release: "1.0.0", ...accepting(1) });
    expect(refused).toMatchObject({ message: expect.stringContaining("can't be deployed here") });
    expect(await recorded()).toMatchObject({ release_layout: 1 });
  });
});

describe("the function that CloudFormation calls", () => {
  /** What the function puts to the address that it is given. */
  async function answerTo(RequestType: string, Release: string, Layout: string): Promise<unknown> {
    const receiver = await startReceiver((_, response) => response.end());
    const ids = { StackId: "stack", RequestId: "request", LogicalResourceId: "Record" };
    const OldestLayout = String(accepting(Number(Layout)).oldest);
    const ResourceProperties = { ServiceToken: "token", Release, Layout, OldestLayout };
    try {
      const event = {
        ...ids,
        RequestType,
        ResponseURL: receiver.url,
        PhysicalResourceId: "Record",
        ResourceProperties,
      };
      await service.runtime.invoke("deployment-record", event);
      return receiver.received.map(({ body }) => JSON.parse(body));
    } finally {
      await receiver.close();
    }
  }

  const common = {
    StackId: "stack",
    RequestId: "request",
    LogicalResourceId: "Record",
    PhysicalResourceId: "Record",
  };

  test("records an update, refuses one with the reason, and leaves the record when its stack is deleted", async () => {
    const updated = await answerTo("Update", "1.2.3", "1");
    const refused = await answerTo("Update", "3.0.0", "3");
    const deleted = await answerTo("Delete", "1.2.3", "1");

    expect(updated).toEqual([{ ...common, Status: "SUCCESS" }]);
    expect(refused).toEqual([
      { ...common, Status: "FAILED", Reason: expect.stringContaining("layout 2 first") },
    ]);
    expect(deleted).toEqual([{ ...common, Status: "SUCCESS" }]);
    expect(await recorded()).toMatchObject({ data_layout: 1, release: "1.2.3" });
  });
});

describe("what runs on data of another layout", () => {
  const message = /data of this deployment have layout 2, expected 1; .* Deploy release/;

  test("is a function that answers 500, and logs what to do; it works once the layout is right", async () => {
    const refused = await withLayout(2, () => service.oms.post("/ping", {}));
    const answered = await service.oms.post("/ping", {});
    const lines = service.runtime.logs().map(({ text }) => text);

    expect(refused).toMatchObject({ status: 500, body: { response: { success: false } } });
    expect(lines.filter((line) => line.includes('"ERROR"'))).toContainEqual(expect.stringMatching(message));
    expect(answered.status).toBe(200);
  });

  test("is no schedule: its run fails", async () => {
    const run = withLayout(2, () => service.runtime.runSchedule("jobs/roll-up-counters"));

    await expect(run).rejects.toThrow(message);
  });

  test("is no command of an operator", async () => {
    const run = () => runOperator(["accounts", "list"], service.connect());

    const refused = await withLayout(2, run);
    const done = await run();

    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(message) });
    expect(done.status).toBe(0);
  });
});

test("every item that the demo's flows store is of a kind that the release states, and there is at most one such kind", async () => {
  const items = await Promise.all(
    tableNames.map(async (table) => (await itemsOf(service.db, table)).map((item) => ({ table, item }))),
  );

  const strange = items
    .flat()
    .map(({ table, item: { pk, sk } }) => ({ table, pk: String(pk), sk: String(sk) }))
    .filter(({ table, ...key }) => storedKinds.filter((kind) => isOfKind(kind, table, key)).length !== 1);
  expect(items.flat().length).toBeGreaterThan(100);
  expect(strange).toEqual([]);
});
