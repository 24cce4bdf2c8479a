import { beforeAll, describe, expect, test } from "vitest";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as patchAliases } from "../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { newProduct, newStore } from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { expectRefusal, expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { contextOf, createAndAnswer } from "../../support/records/flows.ts";
import { aliasOf, unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const { data } = await createAndAnswer(
  service,
  createAliases,
  ...Array.from({ length: 30 }, () => aliasOf()),
);
/** Aliases of the tee in channel 2 that no test has touched yet. */
const freshAlias = oneByOne(data.map((_, position) => at({ data }, `data.${position}`)));

const post = (...data: readonly unknown[]) => service.oms.post("/inventory/aliases", { data });
const patch = (...data: readonly unknown[]) => service.oms.patch("/inventory/aliases", { data });
const get = (identifier: string | number, query = "") =>
  service.oms.get(`/inventory/aliases/${encodeURIComponent(identifier)}${query}`);

const productIdOf = async (sku: string) =>
  numberAt((await service.oms.get(`/inventory/products/${sku}`)).body, "data.product_id");

/** A connection to the tables on which `act` happens once, after the first answer. */
function interrupted(act: () => Promise<unknown>): Database {
  const troubled = troubledDatabase(service);
  troubled.add({ after: act }, { command: "any" });
  return troubled.db;
}

/** A stored alias, with these fields or any: its record as it was answered, and what finds it. */
async function newAlias(more?: object) {
  const record =
    more === undefined
      ? freshAlias()
      : at(await createAndAnswer(service, createAliases, aliasOf(more)), "data.0");
  return {
    record: typeof record === "object" ? record : {},
    alias_id: numberAt(record, "alias_id"),
    alias: String(at(record, "alias")),
    channel_id: numberAt(record, "channel_id"),
  };
}

describe("creating aliases", () => {
  test("takes one text in several channels, several texts for one product, and a product's SKU", async () => {
    const alias = unique("SHARED");
    const { sku } = await newProduct(service);

    const answer = await post(
      aliasOf({ alias, channel_id: 1 }),
      aliasOf({ alias, channel_id: 2, sku: "DEMO-MUG" }),
      aliasOf({ alias: alias.toLowerCase(), channel_id: 2 }),
      aliasOf({ alias: sku, sku: "DEMO-MUG" }),
    );

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "data").map((record) => at(record, "sku"))).toEqual([
      "DEMO-TEE",
      "DEMO-MUG",
      "DEMO-TEE",
      "DEMO-MUG",
    ]);
  });
});

describe("reading an alias", () => {
  test("by a text of several channels finds the newest, or the one in the channel asked for", async () => {
    const older = await newAlias();
    const newer = await newAlias({ alias: older.alias, channel_id: 1, sku: "DEMO-MUG" });

    const found = [
      await get(older.alias),
      await get(older.alias, "?channel_id=1"),
      await get(older.alias, "?channel_id=2"),
    ];

    expect(found.map(({ body }) => at(body, "data"))).toEqual([newer.record, newer.record, older.record]);
  });

  test("by a text that looks like an id finds it if no alias has that id", async () => {
    const { record } = await newAlias({ alias: "987654321" });

    expect((await get("987654321")).body).toEqual({ data: record });
  });

  test("by a text that only another channel has is 404", async () => {
    const { alias } = await newAlias();

    expect((await get(alias, "?channel_id=1")).status).toBe(404);
    expect((await get(alias.toLowerCase())).status).toBe(404);
  });
});

describe("listing aliases", () => {
  let store: Client;
  let product: string;
  beforeAll(async () => {
    const owner = { db: service.db, ...(await newStore(service)) };
    store = owner.oms;
    const stores = [11, 12].map((store_id) => ({ store_id, name: `Shop ${store_id}` }));
    await putEntries(service.db, owner.accountId, { stores });
    product = (await newProduct(owner)).sku;
  });

  test("holds and counts exactly what matches a filter, also after aliases have moved", async () => {
    const { body } = await store.post("/inventory/aliases", {
      data: [
        aliasOf({ sku: product, channel_id: 11, distribution_center: "MAIN" }),
        aliasOf({ sku: product, channel_id: 11, distribution_center: "EAST" }),
        aliasOf({ sku: product, channel_id: 12 }),
        aliasOf({ sku: product, channel_id: 12, distribution_center: "EAST" }),
      ],
    });
    const [first, second, third] = listAt(body, "data").map((record) => at(record, "alias_id"));
    await store.patch("/inventory/aliases", {
      data: [
        { alias_id: first, channel_id: 12 },
        { alias_id: second, distribution_center: "MAIN" },
        { alias_id: third, channel_id: 11, distribution_center: "EAST" },
      ],
    });

    const whole = listAt((await store.get("/inventory/aliases?per_page=100")).body, "data");
    const placed = whole.map((record) => [at(record, "channel_id"), at(record, "distribution_center")]);
    expect(placed.slice(0, 4)).toEqual([
      [12, "EAST"],
      [11, "EAST"],
      [11, "MAIN"],
      [12, "MAIN"],
    ]);
    for (const [channel, center] of [[11], [12], [undefined, "MAIN"], [undefined, "EAST"], [11, "EAST"]]) {
      const query = `${channel ? `&channel_id=${channel}` : ""}${center ? `&distribution_center=${center}` : ""}`;
      const answer = await store.get(`/inventory/aliases?per_page=100${query}`);

      const matching = whole.filter(
        (record) =>
          (channel === undefined || at(record, "channel_id") === channel) &&
          (center === undefined || at(record, "distribution_center") === center),
      );
      expect(at(answer.body, "data"), query).toEqual(matching);
      expect(at(answer.body, "metadata.total_records"), query).toBe(matching.length);
    }
  });

  test.each([
    "channel_id=13",
    "channel_id=999999999999999",
    "distribution_center=WEST",
    "distribution_center=main",
    "channel_id=11&distribution_center=WEST",
  ])("by a channel or center that does not exist is empty: %s", async (query) => {
    const answer = await store.get(`/inventory/aliases?${query}`);

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data")).toEqual([]);
    expect(at(answer.body, "metadata.total_records")).toBe(0);
  });
});

describe("changing an alias found by its id", () => {
  test.each<[string, object]>([
    ["text", { alias: "MOVED-TEXT" }],
    ["channel", { channel_id: 1 }],
  ])("gives it a new %s, by which alone it is found; another may take its old name", async (_case, sent) => {
    const { alias_id, alias } = await newAlias();

    const moved = await patch({ alias_id, ...sent });
    const old = await get(alias, "?channel_id=2");
    const now = await get(
      String(at(moved.body, "data.0.alias")),
      `?channel_id=${at(moved.body, "data.0.channel_id")}`,
    );
    const reused = await post(aliasOf({ alias, channel_id: 2 }));

    expect(old.status).toBe(404);
    expect(at(now.body, "data.alias_id")).toBe(alias_id);
    expect(reused.status).toBe(200);
  });
});

describe("changing an alias found by its text and channel", () => {
  test("changes the sku and distribution center, and no other channel's alias of that text", async () => {
    const there = await newAlias({ channel_id: 1 });
    const here = await newAlias({ alias: there.alias, channel_id: 2 });

    const answer = await patch({
      alias: here.alias,
      channel_id: 2,
      sku: "DEMO-CAP",
      distribution_center: "EAST",
    });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0")).toEqual({
      ...here.record,
      sku: "DEMO-CAP",
      product_id: await productIdOf("DEMO-CAP"),
      distribution_center: "EAST",
      updated_at: expect.any(String),
      version: 2,
    });
    expect((await get(there.alias_id)).body).toEqual({ data: there.record });
  });

  test("takes an alias_id that is null as not sent", async () => {
    const { alias, alias_id } = await newAlias();

    const answer = await patch({ alias_id: null, alias, channel_id: 2, sku: "DEMO-CAP" });

    expect(at(answer.body, "data.0")).toMatchObject({ alias_id, sku: "DEMO-CAP" });
  });

  test("goes together with others found by id, in the call's order", async () => {
    const made = [await newAlias(), await newAlias(), await newAlias()];
    const [first, second, third] = made;

    const answer = await patch(
      { alias: third?.alias, channel_id: 2, sku: "DEMO-MUG" },
      { alias_id: first?.alias_id, sku: "DEMO-CAP" },
      { alias: second?.alias, channel_id: 2, distribution_center: "MAIN" },
    );

    expect(listAt(answer.body, "data").map((record) => at(record, "alias_id"))).toEqual([
      third?.alias_id,
      first?.alias_id,
      second?.alias_id,
    ]);
  });
});

describe("calls at once", () => {
  const rounds = [1, 2];

  test.each(rounds)("that give two aliases the same text let one have it (%i)", async () => {
    const [left, right] = [await newAlias(), await newAlias()];
    const alias = unique("WANTED");

    const answers = await atOnce(
      service,
      [left, right].map(
        ({ alias_id }) =>
          () =>
            patch({ alias_id, alias, sku: "DEMO-CAP" }),
      ),
    );
    const found = await Promise.all([left, right].map(({ alias_id }) => get(alias_id)));

    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(at((await get(alias)).body, "data")).toEqual(at(found[winner]?.body, "data"));
    expect(at(found[1 - winner]?.body, "data")).toEqual([left, right][1 - winner]?.record);
  });

  test("that find an alias by a text which it is just losing do not give it back", async () => {
    const { alias_id, alias } = await newAlias();
    const moved = unique("MOVED");
    const db = interrupted(() => patch({ alias_id, alias: moved }));

    const sent = { alias, channel_id: 2, sku: "DEMO-CAP" };
    const rejection = patchAliases.flow(
      { body: { data: [sent] } },
      contextOf({ db, accountId: service.accountId }),
    );

    await expect(rejection).rejects.toMatchObject({ kind: "not_found" });
    expect(at((await get(alias_id)).body, "data")).toMatchObject({ alias: moved, sku: "DEMO-TEE" });
    expect((await get(alias)).status).toBe(404);
  });
});

describe("a wrong change of an alias stores nothing", () => {
  /** Two aliases in channel 2; none of these calls may change them. */
  let one: Awaited<ReturnType<typeof newAlias>>;
  let other: Awaited<ReturnType<typeof newAlias>>;
  beforeAll(async () => {
    [one, other] = [await newAlias(), await newAlias()];
  });

  test.each([
    [{}],
    [{ sku: "DEMO-CAP" }],
    [{ channel_id: 2, sku: "DEMO-CAP" }],
    [{ alias_id: null, sku: "DEMO-CAP" }],
    [{ alias_id: "", sku: "DEMO-CAP" }],
  ])("if it names no alias: %j", async (sent) => {
    const answer = await patch({ alias_id: one.alias_id, sku: "DEMO-CAP" }, sent);

    const message = "is required, unless alias is sent, with channel_id if the alias is for one channel";
    expectRefusal(answer, "data.1.alias_id", message);
  });

  test("to the text of another alias in that channel, also if that one changes in the same call", async () => {
    const renamed = await patch({ alias_id: one.alias_id, alias: other.alias });
    const swapped = await patch(
      { alias_id: one.alias_id, alias: other.alias },
      { alias_id: other.alias_id, alias: one.alias },
    );

    expectRefusal(renamed, "data.0.alias", `already exists in channel 2 (${other.alias})`);
    expectRefusedAt(swapped, ["data.0.alias", "data.1.alias"]);
  });

  test("to one text in one channel twice in a call", async () => {
    const alias = unique("TWICE");

    const answer = await patch(
      { alias_id: one.alias_id, alias },
      { alias_id: other.alias_id, alias, channel_id: 2 },
    );

    expectRefusal(answer, "data.1.alias", `is in this call twice (${alias})`);
  });

  test("if it names one alias by its text and by its id", async () => {
    const answer = await patch(
      { alias: one.alias, channel_id: 2, sku: "DEMO-CAP" },
      { alias_id: one.alias_id, sku: "DEMO-CAP" },
    );

    expectRefusal(answer, "data.1.alias_id", `is in this call twice (${one.alias_id})`);
  });

  test("if it names an alias by its text in another channel", async () => {
    const answer = await patch({ alias: one.alias, channel_id: 1, sku: "DEMO-CAP" });

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(`There is no alias ${one.alias} in channel 1`);
  });

  changeNothing(async () => [(await get(one.alias_id)).body, (await get(other.alias_id)).body]);
});
