import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import {
  insertBatch,
  newBatchLookup,
  serialLookup,
  serialsIn,
} from "../../../shared/serials/serial-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { newProduct, productsAhead } from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { operations } from "../../support/http/random.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { create as createBy } from "../../support/records/flows.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** Products that no test has serials of yet. */
const freshProduct = await productsAhead(service, 30);

type Headers = Readonly<Record<string, string>>;

/** Calls at once meet each other in another way each time. */
const rounds = operations(2, 5);

const create = (data: readonly object[], headers?: Headers): Promise<Answer> =>
  service.oms.post("/serials/bulk", { data }, headers);
const describeBatches = (data: readonly object[]): Promise<Answer> =>
  service.oms.post("/serials/batch/attributes", { data });
const read = (sku: string, serial: string): Promise<Answer> =>
  service.oms.get(`/serials/${sku}/${encodeURIComponent(serial)}`);

const named = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([attribute, value]) => ({ attribute, value }));

const batchOf = (
  sku: string,
  serial_start: string,
  serial_end: string,
  attributes: Readonly<Record<string, string>>,
) => ({ sku, serial_start, serial_end, attributes: named(attributes) });

/** A serial's attributes by name; undefined where there is no such serial. */
async function attributesOf(sku: string, serial: string): Promise<object | undefined> {
  const { status, body } = await read(sku, serial);
  if (status === 404) return undefined;
  return Object.fromEntries(
    listAt(body, "data.attributes").map((entry) => [at(entry, "attribute"), at(entry, "value")]),
  );
}

/**
 * The attributes of serials, as the list of their product shows them; undefined where there is no such
 * serial.
 */
async function attributesListed(sku: string, serials: readonly string[]): Promise<readonly unknown[]> {
  const { body } = await service.oms.get(`/serials?per_page=100&sku=${sku}`);
  const all = new Map(listAt(body, "data").map((one) => [at(one, "serial"), listAt(one, "attributes")]));
  return serials.map((serial) => {
    const found = all.get(serial)?.map((entry) => [at(entry, "attribute"), at(entry, "value")]);
    return found && Object.fromEntries(found);
  });
}

const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, "0")}`);

/** Records of any number of serials, 100 each. */
function recordsOf(sku: string, serials: readonly string[]): readonly object[] {
  const records = [];
  for (let start = 0; start < serials.length; start += 100) {
    records.push({ sku, serials: serials.slice(start, start + 100) });
  }
  return records;
}

describe("creating serials", () => {
  test("answers them record by record, as they are read then", async () => {
    const [one, other] = [freshProduct(), freshProduct()];
    const data = [
      { sku: one.sku, serials: ["B-2", "B-1"] },
      { sku: other.sku, serials: ["B-1"] },
    ];

    const answer = await create(data);
    const found = await read(one.sku, "B-1");

    const created_at = at(answer.body, "data.0.created_at");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        { ...one, serials: ["B-2", "B-1"], created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
        { ...other, serials: ["B-1"], created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ],
    });
    expect(found.body).toEqual({ data: { ...one, serial: "B-1", created_at, attributes: [] } });
  });

  test("takes any text as it is: signs, other alphabets, blanks within, 64 characters", async () => {
    const { sku } = freshProduct();
    const serials = ["a b", "#", "é-日本", "\u{1f600}", "%25", "x".repeat(64), "..x"];

    await create([{ sku, serials }]);
    const found = await Promise.all(serials.map((serial) => read(sku, serial)));

    expect(found.map(({ body }) => at(body, "data.serial"))).toEqual(serials);
  });

  test("stores a serial that two calls create at once exactly once, and tells the other", async () => {
    const { sku } = freshProduct();
    for (let round = 0; round < rounds; round += 1) {
      const serial = `RACE-${round}`;

      const answers = await atOnce(service, [
        () => create([{ sku, serials: [`LEFT-${round}`, serial] }]),
        () => create([{ sku, serials: [`RIGHT-${round}`, serial] }]),
      ]);
      const sides = await attributesListed(sku, [`LEFT-${round}`, `RIGHT-${round}`]);

      const loser = answers.find(({ status }) => status === 400);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect(at(loser?.body, "response.errors")).toEqual([
        { path: "data.0.serials.1", message: `already exists (${serial})`, code: "already_exists" },
      ]);
      // The loser's other serial is not stored either: a record is one transaction.
      expect(sides.map((side) => side !== undefined)).toEqual(answers.map(({ status }) => status === 200));
    }
  });
});

describe("attributes of a range", () => {
  test("are those of the serials in it from then on, and its answer says how many those are", async () => {
    const product = freshProduct();
    const { sku } = product;
    await create([{ sku, serials: ["A0", "A1", "A5", "A9", "B0", "A", "A10"] }]);

    const answer = await describeBatches([batchOf(sku, "A1", "A9", { color: "red", lot: "7" })]);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        {
          ...product,
          serial_start: "A1",
          serial_end: "A9",
          serials_covered: 3,
          attributes: named({ color: "red", lot: "7" }),
        },
      ],
    });
    const found = await attributesListed(sku, ["A0", "A1", "A5", "A9", "B0", "A", "A10"]);
    const given = { color: "red", lot: "7" };
    expect(found).toEqual([{}, given, given, given, {}, {}, {}]);
  });

  test("are replaced by those of later batches name by name, also within one call", async () => {
    const { sku } = freshProduct();
    await create([{ sku, serials: ["A1", "A2", "A3"] }]);

    await describeBatches([
      batchOf(sku, "A1", "A3", { color: "red", lot: "7" }),
      batchOf(sku, "A2", "A3", { color: "green" }),
    ]);
    await describeBatches([batchOf(sku, "A3", "A3", { color: "", size: "L" })]);

    const found = await Promise.all(["A1", "A2", "A3"].map((serial) => attributesOf(sku, serial)));
    expect(found).toEqual([
      { color: "red", lot: "7" },
      { color: "green", lot: "7" },
      { color: "", lot: "7", size: "L" },
    ]);
  });

  test("keep the order of a call of 100 batches", async () => {
    const { sku } = freshProduct();
    await create([{ sku, serials: ["A1"] }]);

    await describeBatches(
      Array.from({ length: 100 }, (_, index) => batchOf(sku, "A1", "A1", { step: String(index) })),
    );

    expect(await attributesOf(sku, "A1")).toEqual({ step: "99" });
  });

  test("are another product's no matter which serials it has", async () => {
    const [one, other] = [freshProduct(), freshProduct()];
    await create([one, other].map(({ sku }) => ({ sku, serials: ["A1"] })));

    await describeBatches([batchOf(one.sku, "A1", "A1", { color: "red" })]);

    expect(await attributesOf(other.sku, "A1")).toEqual({});
  });

  test("reach 1000 serials and no more, which are counted no further than asked", async () => {
    const { sku, product_id } = freshProduct();
    await createBy(service, createSerials, ...recordsOf(sku, numbered("S", 1003)));

    const most = await describeBatches([batchOf(sku, "S0000", "S0999", { color: "red" })]);
    const tooMany = await describeBatches([
      batchOf(sku, "S0000", "S0000", { color: "blue" }),
      batchOf(sku, "S0000", "S9999", { color: "blue" }),
    ]);

    expect(most.status).toBe(200);
    expect(numberAt(most.body, "data.0.serials_covered")).toBe(1000);
    expect(tooMany.status).toBe(400);
    expect(at(tooMany.body, "response.message")).toBe(
      "data.1 covers 1003 serials; it may cover at most 1000",
    );
    const all = { serial_start: "S0000", serial_end: "S9999" };
    const read = await Promise.all(
      [3, 1003, 2000].map((limit) => serialsIn(service.db, product_id, all, limit)),
    );
    expect(read.map(({ length }) => length)).toEqual([3, 1003, 1003]);
    const found = await Promise.all(["S0000", "S0999", "S1000"].map((serial) => attributesOf(sku, serial)));
    expect(found).toEqual([{ color: "red" }, { color: "red" }, {}]);
  });

  test("continue by number if the bounds differ in length, and skip what is not a number", async () => {
    const { sku } = freshProduct();
    const serials = ["SN8", "SN9", "SN9X", "SN1X", "SN010", "SN10", "SN99", "SN9A", "SN100", "SN101"];
    await create([{ sku, serials }]);

    const answer = await describeBatches([
      batchOf(sku, "SN9", "SN10", { color: "red" }),
      batchOf(sku, "SN9", "SN100", { size: "L" }),
    ]);

    expect(listAt(answer.body, "data").map((batch) => at(batch, "serials_covered"))).toEqual([2, 4]);
    const found = await attributesListed(sku, serials);
    const [red, large] = [{ color: "red", size: "L" }, { size: "L" }];
    expect(found).toEqual([{}, red, {}, {}, {}, red, large, {}, large, {}]);
  });

  test("of none are 404, with nothing stored", async () => {
    const { sku } = freshProduct();
    await create([{ sku, serials: ["A1", "B1"] }]);

    const answer = await describeBatches([
      batchOf(sku, "A1", "A1", { color: "red" }),
      batchOf(sku, "A2", "A9", { color: "red" }),
    ]);

    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      response: {
        success: false,
        message: "data.1 covers no serial (A2 to A9)",
        errors: [{ path: "data.1", message: "covers no serial (A2 to A9)" }],
      },
    });
    expect(await attributesOf(sku, "A1")).toEqual({});
  });

  describe("whatever the clocks say", () => {
    const ahead = "2999-01-01T00:00:00.000Z";

    test("reach serials that a clock ahead of ours has dated", async () => {
      const { sku, product_id } = freshProduct();
      await create([{ sku, serials: ["A1", "A2"] }]);
      const { table, key } = serialLookup(product_id, "A2");
      await service.db.client.send(
        new UpdateCommand({
          TableName: service.db.tableName(table),
          Key: { ...key },
          UpdateExpression: "SET created_at = :ahead",
          ExpressionAttributeValues: { ":ahead": ahead },
        }),
      );

      await describeBatches([
        batchOf(sku, "A1", "A2", { color: "red" }),
        batchOf(sku, "A1", "A1", { color: "green" }),
      ]);

      const found = await Promise.all(["A1", "A2"].map((serial) => attributesOf(sku, serial)));
      expect(found).toEqual([{ color: "green" }, { color: "red" }]);
    });

    test("replace those of a batch whose time is still to come, which reaches no new serial", async () => {
      const { sku, product_id } = freshProduct();
      await create([{ sku, serials: ["A1"] }]);
      const early = {
        product_id,
        ...batchOf(sku, "A1", "A2", { color: "red", lot: "7" }),
        created_at: ahead,
      };
      await transact(service.db, [insertBatch(early, newBatchLookup(early, 0))]);

      await create([{ sku, serials: ["A2"] }]);
      await describeBatches([batchOf(sku, "A1", "A2", { color: "green" })]);

      const found = await Promise.all(["A1", "A2"].map((serial) => attributesOf(sku, serial)));
      expect(found).toEqual([{ color: "green", lot: "7" }, { color: "green" }]);
    });
  });
});

describe("a wrong call is 400 and stores nothing", () => {
  /** A product with the serials A1 to A3. */
  let sku: string;
  beforeAll(async () => {
    ({ sku } = freshProduct());
    await create([{ sku, serials: ["A1", "A2", "A3"] }]);
  });
  const serialsOf = (...serials: readonly string[]) => ({ sku, serials });
  const give = (...data: readonly object[]) => service.oms.post("/serials/batch/attributes", { data });
  const batch = (more: object = {}) => ({ ...batchOf(sku, "A1", "A3", { color: "red" }), ...more });

  test.each<[string, () => readonly object[], readonly string[]]>([
    [
      "serials that exist",
      () => [serialsOf("N1", "A2"), serialsOf("A3")],
      ["data.0.serials.1 already exists (A2)", "data.1.serials.0 already exists (A3)"],
    ],
    [
      "a serial twice in a call, in the same case",
      () => [serialsOf("N0", "N1", "n1", "N1"), serialsOf("N1")],
      ["data.0.serials.3 is in this call twice (N1)", "data.1.serials.0 is in this call twice (N1)"],
    ],
  ])("%s", async (_case, records, lines) => {
    const { status, body } = await create(records());

    const errors = listAt(body, "response.errors");
    expect(status).toBe(400);
    expect(errors.map((error) => `${at(error, "path")} ${at(error, "message")}`)).toEqual(lines);
  });

  test("more than 2000 serials in a call", async () => {
    expectRefusal(
      await create(recordsOf(sku, numbered("M", 2001))),
      "data",
      "must hold at most 2000 serials in all",
    );
  });

  test("a batch of attributes with bounds the wrong way round, of no serial at all, among good ones", async () => {
    const wrong = batch({ serial_start: "Z2", serial_end: "Z1" });

    const answer = await give(batch(), wrong, batch());

    expectRefusal(answer, "data.1.serial_end", "must not come before serial_start");
  });

  test.each<[string, () => string]>([
    ["sku", () => `${"x".repeat(256)}/A1`],
    ["serial", () => `${sku}/${"x".repeat(256)}`],
  ])("a path whose %s is too long", async (part, path) => {
    expectRefusal(await service.oms.get(`/serials/${path()}`), part, "must have at most 255 characters");
  });

  changeNothing(async () => (await service.oms.get(`/serials?per_page=100&sku=${sku}`)).body);
});

describe("a serial that is not there is 404", () => {
  beforeAll(async () => {
    await newProduct(service, { sku: "DEMO-TEE" });
    await createBy(service, createSerials, { sku: "DEMO-TEE", serials: ["DEMO-1"] });
  });

  const long = "x".repeat(255);

  test.each([
    ["of an unknown SKU", "NO-SUCH/A1", "There is no product with the SKU NO-SUCH"],
    ["unknown to its product", "DEMO-TEE/NO-SUCH", "The product DEMO-TEE has no serial NO-SUCH"],
    ["in other letters", "DEMO-TEE/demo-1", "The product DEMO-TEE has no serial demo-1"],
    ["longer than any serial", `DEMO-TEE/${long}`, `The product DEMO-TEE has no serial ${long}`],
  ])("%s", async (_case, path, message) => {
    const answer = await service.oms.get(`/serials/${path}`);

    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ response: { success: false, message } });
  });
});
