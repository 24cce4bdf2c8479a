import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct } from "../../support/store/world.ts";

let service: Service;
/**
 * The product that the calls of this file are about, with the serials A1 to A3; none of them may change it.
 */
let sku: string;
beforeAll(async () => {
  service = await sharedService();
  ({ sku } = await newProduct(service));
  await newProduct(service, { sku: "DEMO-TEE" });
  await create({ sku, serials: ["A1", "A2", "A3"] });
});

const create = (...data: readonly unknown[]): Promise<Answer> => service.oms.post("/serials/bulk", { data });
const give = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/serials/batch/attributes", { data });

const attributes = [{ attribute: "color", value: "red" }];
const serialsOf = (more: object = {}) => ({ sku, serials: ["N1"], ...more });
const batchOf = (more: object = {}) => ({ sku, serial_start: "A1", serial_end: "A3", attributes, ...more });

/** What a serial that was stored, or an attribute that was given after all, would change. */
const stored = () =>
  Promise.all(
    ["A1", "A2", "A3", "N1"].map(async (serial) => (await service.oms.get(`/serials/${sku}/${serial}`)).body),
  );

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const many = (count: number) => Array.from({ length: count }, (_, index) => `M${index}`);

describe("a wrong creation of serials is 400 and stores nothing", () => {
  test.each<[string, () => readonly object[], readonly string[]]>([
    ["an unknown SKU", () => [serialsOf({ sku: "NO-SUCH" })], ["data.0.sku is not a known SKU (NO-SUCH)"]],
    [
      "a SKU in other letters",
      () => [serialsOf(), { sku: "demo-tee", serials: ["N1"] }],
      ["data.1.sku is not a known SKU (demo-tee)"],
    ],
    [
      "serials that exist",
      () => [serialsOf({ serials: ["N1", "A2"] }), serialsOf({ serials: ["A3"] })],
      ["data.0.serials.1 already exists (A2)", "data.1.serials.0 already exists (A3)"],
    ],
    [
      "a serial twice in a record",
      () => [serialsOf({ serials: ["N1", "N2", "N1"] })],
      ["data.0.serials.2 is in this call twice (N1)"],
    ],
    [
      "a serial twice in a call",
      () => [serialsOf({ serials: ["N0", "N1"] }), serialsOf({ serials: ["N1"] })],
      ["data.1.serials.0 is in this call twice (N1)"],
    ],
  ])("%s", async (_case, records, lines) => {
    const { status, body } = await create(...records());

    const errors = listAt(body, "response.errors");
    expect(status).toBe(400);
    expect(errors.map((error) => `${at(error, "path")} ${at(error, "message")}`)).toEqual(lines);
  });

  test("a call holds at most 2000 serials", async () => {
    const twentyOne = Array.from({ length: 21 }, (_, record) => ({
      sku,
      serials: many(record < 20 ? 100 : 1).map((serial) => `${record}-${serial}`),
    }));

    const answer = await create(...twentyOne);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data", "must hold at most 2000 serials in all"));
  });
});

describe("a wrong batch of attributes is 400 and gives none", () => {
  test.each<[string, () => object, string]>([
    ["an unknown SKU", () => batchOf({ sku: "NO-SUCH" }), "data.1.sku is not a known SKU (NO-SUCH)"],
    [
      "bounds of two lengths",
      () => batchOf({ serial_end: "B10" }),
      "data.1.serial_end must be as long as serial_start, or differ only in the number at its end, which has no leading zeros (SN9 to SN10)",
    ],
    [
      "bounds the wrong way round",
      () => batchOf({ serial_start: "A4" }),
      "data.1.serial_end must not come before serial_start",
    ],
    [
      "a name twice",
      () => batchOf({ attributes: [...attributes, ...attributes] }),
      "data.1.attributes.1.attribute is in this record twice (color)",
    ],
  ])("%s among good ones", async (_case, wrong, message) => {
    const answer = await give(batchOf(), wrong(), batchOf());

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(message);
  });

  test("reports reversed bounds before it checks whether they cover any serial", async () => {
    const answer = await give(batchOf({ serial_start: "Z2", serial_end: "Z1" }));

    expectRefusedAt(answer, ["data.0.serial_end"]);
  });
});

describe("a wrong path of a serial", () => {
  test.each<[string, () => string]>([
    ["sku", () => `${"x".repeat(256)}/A1`],
    ["serial", () => `${sku}/${"x".repeat(256)}`],
  ])("is 400 where its %s is too long", async (part, path) => {
    const answer = await service.oms.get(`/serials/${path()}`);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(part, "must have at most 255 characters"));
  });
});

changeNothing(stored);
