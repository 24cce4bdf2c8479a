import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, test } from "vitest";
import { recordDeployment } from "../../../infra/data-model/record-deployment.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { getItem, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  acceptedBy,
  deploymentLookup,
  deploymentOf,
  incompatibilityOf,
} from "../../../shared/store/layouts/deployment.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { twoLayouts } from "../../support/store/moved-kind.ts";

const deployment = (layout: number, writes = layout, release = "1.0.0") => ({
  data_layout: layout,
  writes_layout: writes,
  release,
  release_layout: writes,
  complete_indexes: [],
});

/** What a release of this layout accepts, if it says what has changed since the layout before. */
const accepting = (current: number, newest = current) => ({
  current,
  oldest: Math.max(1, current - 1),
  newest,
});

describe("a release works with a deployment", () => {
  test.each([
    [1, deployment(1)],
    [2, deployment(2)],
    [2, deployment(1)],
    [2, deployment(1, 2)],
    [3, deployment(2)],
  ])(
    "if its layout is that of the release, or the one before: release of layout %i, %j",
    (current, found) => {
      expect(incompatibilityOf(accepting(current), found)).toBeUndefined();
    },
  );

  test("whose next layout it can read, until all data have been moved to that", () => {
    const reader = acceptedBy({ ...twoLayouts, current: 1 });

    expect(incompatibilityOf(reader, deployment(1, 2, "2.0.0"))).toBeUndefined();
    expect(incompatibilityOf(reader, deployment(2, 2, "2.0.0"))).toMatch(
      /layout 2, expected 1; .* 2\.0\.0, or a later/,
    );
  });

  test.each([
    [
      "of a later layout",
      1,
      deployment(2, 2, "2.0.0"),
      /layout 2, expected 1; .* Deploy release 2\.0\.0, or a later/,
    ],
    ["that is being moved to a later one", 1, deployment(1, 2, "2.0.0"), /layout 2, expected 1/],
    [
      "of a layout that was skipped, though they are being moved to the one before",
      3,
      deployment(1, 2),
      /have layout 1, expected 2 or 3.* layout 2 first/,
    ],
    [
      "of a layout that was skipped",
      3,
      deployment(1),
      /expected 2 or 3.* layout 2 first, run "operator data migrate"/,
    ],
    ["that does not say its layout", 1, undefined, /does not say which layout .* Deploy that stack/],
  ])("but not with data %s, and says what to run", (_, current, found, message) => {
    expect(incompatibilityOf(accepting(current), found)).toMatch(message);
  });

  test("but not with data of the layout before, if it does not say what has changed since", () => {
    const accepted = acceptedBy({ current: 2, later: [] });

    expect(incompatibilityOf(accepted, deployment(1))).toMatch(
      /have layout 1, expected 2; .* layout 2 first/,
    );
    expect(incompatibilityOf(acceptedBy(twoLayouts), deployment(1))).toBeUndefined();
  });
});

test("a downgrade is refused if a migration ends after the record was read", async () => {
  const { store, db } = faultyStore();
  const { table, key } = deploymentLookup;
  const record = (layout: number) => ({ ...key, ...deployment(layout, 2, "2.0.0") });
  await transact(db, [{ kind: "insert", table, item: record(1) }]);
  store.fault = (command) => {
    if (command !== "TransactWriteItems") return undefined;
    store.fault = () => undefined;
    store.call("PutItem", { TableName: db.tableName(table), Item: marshall(record(2)) });
    return undefined;
  };

  const recorded = recordDeployment(db, { release: "1.1.0", indexes: [], ...accepting(1, 2) });

  await expect(recorded).rejects.toThrow(/layout 2, expected 1; release 2\.0\.0 was deployed last/);
  expect(await getItem(db, deploymentLookup)).toMatchObject(record(2));
});

describe("a connection", () => {
  const layouts = twoLayouts;

  test("reads the deployment once if the release fits it", async () => {
    let reads = 0;
    const read = async (): Promise<RawItem> => {
      reads += 1;
      return deployment(2);
    };
    const used = deploymentOf(layouts, read);

    await used.check();
    await used.check();

    expect(reads).toBe(1);
  });

  test("that was refused works as soon as the deployment is right", async () => {
    let found = deployment(4);
    const used = deploymentOf(layouts, async () => found);
    const refused = await used.check().catch((error: unknown) => error);
    found = deployment(1);

    await used.check();

    expect(refused).toMatchObject({ name: "WrongLayout" });
    expect(used.isReached()).toBe(false);
  });

  test("whose endpoint does not answer gives up when it is aborted", async () => {
    const db = connect(
      { TABLE_IDENTITY: "identity" },
      {
        endpoint: "http://127.0.0.1:1",
        region: "eu-west-1",
        credentials: { accessKeyId: "a", secretAccessKey: "b" },
      },
    );

    await expect(db.layouts.refresh(AbortSignal.timeout(50))).rejects.toThrow();
  });
});

test("no release is recorded where data of before release 1.0.0 are stored", async () => {
  const { db } = faultyStore();
  await transact(db, [{ kind: "insert", table: "orders", item: { pk: "order#1", sk: "-" } }]);

  const recording = recordDeployment(db, { release: "1.0.1", indexes: [], ...accepting(1) });

  await expect(recording).rejects.toThrow("These tables hold data from before release 1.0.0");
  expect(await getItem(db, deploymentLookup)).toBeUndefined();
});
