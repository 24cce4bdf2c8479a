import { beforeAll, describe, expect, test } from "vitest";
import { putStore } from "../../../infra/operator/registry.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
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

const noId = ["2", "", true, [2], { id: 2 }, null, 0, -1, 2.5, 1e300];

describe("a wrong alias call is 400 and stores nothing", () => {
  test.each(noId.map((alias_id) => [alias_id]))("PATCH: the alias_id %j", async (alias_id) => {
    const answer = await patch({ alias_id, sku: "DEMO-CAP" });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.alias_id");
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
