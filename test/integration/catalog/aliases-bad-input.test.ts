import { beforeAll, describe, expect, test } from "vitest";
import { putStore } from "../../../infra/operator/registry.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { aliasOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newStore } from "../../support/store/world.ts";

let service: Service;
/** The aliases that PATCH calls of this file are about; none of them may change. Both are in channel 2. */
let existing: { readonly alias_id: number; readonly alias: string };
let other: { readonly alias_id: number; readonly alias: string };
beforeAll(async () => {
  service = await sharedService({ demoData: true });
  const { accountId } = await newStore(service);
  await putStore(service.db, accountId, { store_id: 3, name: "Another's Shop" });
  const sent = [aliasOf({ distribution_center: "MAIN" }), aliasOf({ sku: "DEMO-MUG" })];
  const { body } = await create(...sent);
  const made = (position: number) => ({
    alias_id: numberAt(body, `data.${position}.alias_id`),
    alias: String(at(body, `data.${position}.alias`)),
  });
  existing = made(0);
  other = made(1);
});

/** What an alias that was stored or changed after all would change. */
const stored = async () => (await service.oms.get("/inventory/aliases?per_page=100")).body;

const create = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/inventory/aliases", { data });
const patch = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.patch("/inventory/aliases", { data });

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const noText = [12, true, ["a"], { a: 1 }, null];
const noId = ["2", "", true, [2], { id: 2 }, null, 0, -1, 2.5, 1e300];
const wrongValues: readonly (readonly [string, readonly unknown[]])[] = [
  ["sku", [...noText, "", "x".repeat(101), "\ud800"]],
  ["alias", [...noText, "", "x".repeat(101), "\ud800"]],
  ["channel_id", noId.filter((value) => value !== null && value !== "")],
  ["distribution_center", [12, true, ["a"], { a: 1 }, "x".repeat(256), "\ud800"]],
];

const wrongReferences: readonly (readonly [string, unknown, string])[] = [
  ["sku", "NO-SUCH", "is not a known SKU (NO-SUCH)"],
  ["sku", "demo-tee", "is not a known SKU (demo-tee)"],
  ["channel_id", 9, "is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)"],
  ["channel_id", 3, "is not a store of the account (3); it has 1 (Demo Web Store), 2 (Demo Marketplace)"],
  [
    "channel_id",
    Number.MAX_SAFE_INTEGER,
    "is not a store of the account (9007199254740991); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
  ],
  [
    "distribution_center",
    "WEST",
    "is not a registered distribution center (WEST); registered are EAST, IDLE, MAIN",
  ],
  [
    "distribution_center",
    "main",
    "is not a registered distribution center (main); registered are EAST, IDLE, MAIN",
  ],
];

describe("a wrong alias call is 400 and stores nothing", () => {
  test.each(["sku", "alias"])("POST: %s is required", async (field) => {
    const answer = await create({ ...aliasOf(), [field]: undefined });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(`data.0.${field}`, "is required"));
  });

  test.each(wrongValues)("POST and PATCH: %s must have its type", async (field, values) => {
    const wrong = values.map((value) => ({ [field]: value }));

    const created = await create(...wrong.map(aliasOf));
    const patched = await patch(...wrong.map((one) => ({ alias_id: existing.alias_id, ...one })));

    const paths = values.map((_, record) => `data.${record}.${field}`);
    for (const answer of [created, patched]) expectRefusedAt(answer, paths);
  });

  test.each(noId.map((alias_id) => [alias_id]))("PATCH: the alias_id %j", async (alias_id) => {
    const answer = await patch({ alias_id, sku: "DEMO-CAP" });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.alias_id");
  });

  test.each(wrongReferences)("POST and PATCH: %s %j", async (field, value, message) => {
    const wrong = { [field]: value };

    const answers = [await create(aliasOf(wrong)), await patch({ alias_id: existing.alias_id, ...wrong })];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single(`data.0.${field}`, message));
    }
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["only what is to change", { sku: "DEMO-CAP" }],
    ["a channel without the alias", { channel_id: 2, sku: "DEMO-CAP" }],
  ])("PATCH: a record that names %s", async (_case, sent) => {
    const answer = await patch({ alias_id: existing.alias_id, sku: "DEMO-CAP" }, sent);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      single("data.1.alias_id", "is required, or alias in its place, with the channel_id of a channel's own"),
    );
  });

  test("POST: an alias that exists in that channel", async () => {
    const answer = await create(aliasOf(), aliasOf({ alias: existing.alias }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.1.alias", `already exists in channel 2 (${existing.alias})`));
  });

  test("PATCH: the text of another alias in that channel", async () => {
    const renamed = await patch({ alias_id: existing.alias_id, alias: other.alias });

    expect(renamed.status).toBe(400);
    expect(renamed.body).toEqual(single("data.0.alias", `already exists in channel 2 (${other.alias})`));
  });

  test("PATCH: the text of another alias that changes in the same call", async () => {
    const swapped = await patch(
      { alias_id: existing.alias_id, alias: other.alias },
      { alias_id: other.alias_id, alias: existing.alias },
    );

    expect(swapped.status).toBe(400);
    expect(listAt(swapped.body, "response.errors")).toHaveLength(2);
  });

  test("POST and PATCH: one text in one channel twice in a call", async () => {
    const alias = unique("TWICE");

    const created = await create(aliasOf({ alias }), aliasOf({ alias, channel_id: 1 }), aliasOf({ alias }));
    const patched = await patch(
      { alias_id: existing.alias_id, alias },
      { alias_id: other.alias_id, alias, channel_id: 2 },
    );

    expect([created.status, patched.status]).toEqual([400, 400]);
    expect(created.body).toEqual(single("data.2.alias", `is in this call twice (${alias})`));
    expect(patched.body).toEqual(single("data.1.alias", `is in this call twice (${alias})`));
  });

  test("PATCH: one alias twice in a call, whatever it is found by", async () => {
    const byId = { alias_id: existing.alias_id, sku: "DEMO-CAP" };
    const byText = { alias: existing.alias, channel_id: 2, sku: "DEMO-CAP" };

    const answers = [await patch(byId, byId), await patch(byText, byText), await patch(byText, byId)];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.map(({ body }) => body)).toEqual([
      single("data.1.alias_id", `is in this call twice (${existing.alias_id})`),
      single("data.1.alias", `is in this call twice (${existing.alias})`),
      single("data.1.alias_id", `is in this call twice (${existing.alias_id})`),
    ]);
  });

  test.each([
    [0, "must hold at least 1 element"],
    [101, "must hold at most 100 elements"],
  ])("POST and PATCH: a call of %i records", async (count, message) => {
    const data = Array.from({ length: count }, () => aliasOf());

    const answers = [await create(...data), await patch(...data)];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data", message));
    }
  });

  test.each<[string, unknown, string]>([
    ["an empty body", {}, "data"],
    ["data that is no list", { data: "EXT" }, "data"],
    ["a list without its wrapper", [aliasOf()], "body"],
    ["a record that is no object", { data: ["EXT"] }, "data.0"],
  ])("POST and PATCH: %s", async (_case, body, path) => {
    const answers = [
      await service.oms.post("/inventory/aliases", body),
      await service.oms.patch("/inventory/aliases", body),
    ];

    for (const answer of answers) expectRefusedAt(answer, [path]);
  });

  test.each<[string, object]>([
    ["of the wrong type", { channel_id: "2" }],
    ["with an unknown SKU", { sku: "NO-SUCH" }],
    ["with a channel that is no store", { channel_id: 9 }],
  ])("POST and PATCH: one bad record %s among good ones", async (_case, wrong) => {
    const good = [aliasOf(), aliasOf()];

    const created = await create(good[0], aliasOf(wrong), good[1]);
    const patched = await patch(
      { alias_id: existing.alias_id, sku: "DEMO-CAP" },
      { alias_id: other.alias_id, ...wrong },
    );

    for (const { status, body } of [created, patched]) {
      expect(status).toBe(400);
      expect(at(body, "response.errors.0.path")).toMatch(/^data\.1\./);
    }
  });

  test("POST: everything that is wrong is listed", async () => {
    const answer = await create(
      aliasOf({ sku: "NO-SUCH", channel_id: 9, distribution_center: "WEST" }),
      aliasOf({ alias: existing.alias }),
    );

    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.sku",
      "data.0.channel_id",
      "data.0.distribution_center",
      "data.1.alias",
    ]);
  });

  test.each<[string, object, string, string]>([
    ["id", { alias_id: 999_999_999 }, "with alias_id 999999999", "alias_id names no alias (999999999)"],
    ["text", { alias: "NONE", channel_id: 2 }, "NONE in channel 2", "alias names no alias (NONE)"],
    ["channel", { alias: "NONE", channel_id: 9 }, "NONE in channel 9", "alias names no alias (NONE)"],
  ])("PATCH: an unknown %s is 404, in a bulk call too", async (_case, key, name, error) => {
    const sent = { ...key, sku: "DEMO-CAP" };

    const alone = await patch(sent);
    const among = await patch({ alias_id: existing.alias_id, sku: "DEMO-CAP" }, sent);

    expect([alone.status, among.status]).toEqual([404, 404]);
    expect(at(alone.body, "response.message")).toBe(`There is no alias ${name}`);
    const [path, ...message] = `data.1.${error}`.split(" ");
    expect(at(among.body, "response.errors")).toEqual([{ path, message: message.join(" ") }]);
  });

  test("PATCH: a text of another channel names no alias", async () => {
    const answer = await patch({ alias: existing.alias, channel_id: 1, sku: "DEMO-CAP" });

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(`There is no alias ${existing.alias} in channel 1`);
  });

  changeNothing(stored);
});

describe("a wrong query is 400", () => {
  test.each([
    ["channel_id=0", "channel_id", "must be a whole number of at least 1"],
    ["channel_id=-1", "channel_id", "must be a whole number of at least 1"],
    ["channel_id=1.5", "channel_id", "must be a whole number of at least 1"],
    ["channel_id=abc", "channel_id", "must be a whole number of at least 1"],
    [`channel_id=${"9".repeat(16)}`, "channel_id", "must be a whole number of at most 15 digits"],
    [`distribution_center=${"x".repeat(256)}`, "distribution_center", "must have at most 255 characters"],
    ["page=0", "page", "must be a whole number of at least 1"],
    ["per_page=101", "per_page", "must be a whole number from 1 to 100"],
  ])("in a list: %s", async (query, path, message) => {
    const answer = await service.oms.get(`/inventory/aliases?${query}`);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(path, message));
  });

  test.each(["0", "-1", "1.5", "abc"])("for one alias: channel_id=%s", async (channel) => {
    const answer = await service.oms.get(`/inventory/aliases/${existing.alias}?channel_id=${channel}`);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("channel_id", "must be a whole number of at least 1"));
  });
});

describe("what looks wrong and is not", () => {
  test.each<[string, object]>([
    ["an alias of 100 characters", { alias: unique("A").padEnd(100, "x") }],
    ["an alias that another has in other letters", { alias: unique("a") }],
    ["a field that nobody asked for", { note: "none" }],
    ["a distribution center that is empty", { distribution_center: "" }],
  ])("%s", async (_case, more) => {
    const answer = await create(aliasOf(more));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.note")).toBeUndefined();
    expect(at(answer.body, "data.0.distribution_center")).toBeNull();
  });
});
