/** What an account does with its products, aliases, kits and webhooks. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Random } from "../schedule/random.ts";
import { operationOf } from "./calls.ts";
import type { History } from "./history.ts";

export async function patchProduct(history: History, random: Random): Promise<void> {
  const [sku, description] = [random.of(["DEMO-TEE", "DEMO-MUG"]), history.name("Goods")];
  const more = random.happens(0.3) ? { distribution_center: random.of(["MAIN", "EAST"]) } : {};
  const writes = [{ record: `product ${history.productId(sku)}`, fields: { description } }];
  await history.send(random, "patchProducts", { body: { data: [{ sku, description, ...more }] } }, writes);
}

/** Reads a product and changes it unless it has changed since. */
export async function patchIfVersion(history: History, random: Random): Promise<void> {
  const [sku, description] = ["DEMO-TEE", history.name("Goods")];
  const path = { prod_identifier: String(history.productId(sku)) };
  const answer = await history.send(random, "getProduct", { path });
  const [shown] = answer?.status === 200 ? (operationOf("getProduct").shows?.(answer.body) ?? []) : [];
  if (shown === undefined) return;
  await history.think(random);
  const { record, version } = shown;
  const writes = [{ record, fields: { description }, expected: version }];
  await history.send(random, "patchProducts", { body: { data: [{ sku, description, version }] } }, writes);
}

export const readProduct = (history: History, random: Random) =>
  history.send(random, "getProduct", {
    path: { prod_identifier: String(history.productId(random.of(["DEMO-TEE", "DEMO-MUG"]))) },
  });

const createdAliases = z.object({ data: z.array(z.object({ alias_id: z.int() })) });

export async function createAlias(history: History, random: Random): Promise<void> {
  const data = [{ sku: random.of(["DEMO-TEE", "DEMO-MUG"]), alias: random.of(["EXT-A", "EXT-B"]) }];
  const writes = [{ record: undefined, fields: { distribution_center: null } }];
  const answer = await history.send(random, "createAliases", { body: { data } }, writes);
  if (answer?.status !== 200) return;
  const created = createdAliases.parse(JSON.parse(answer.body)).data;
  history.aliasIds.push(...created.map(({ alias_id }) => alias_id));
}

export async function patchAlias(history: History, random: Random): Promise<void> {
  if (history.aliasIds.length === 0) return createAlias(history, random);
  const [alias_id, distribution_center] = [random.of(history.aliasIds), random.of(["MAIN", "EAST"])];
  const fields = { sku: random.of(["DEMO-TEE", "DEMO-MUG"]), distribution_center };
  const writes = [{ record: `alias ${alias_id}`, fields }];
  await history.send(random, "patchAliases", { body: { data: [{ alias_id, ...fields }] } }, writes);
}

const items = (random: Random) => [
  { sku: "DEMO-TEE", quantity: 1 + random.below(3) },
  { sku: "DEMO-MUG", quantity: 1 },
];

const shownItems = (some: ReturnType<typeof items>): string =>
  some.map(({ sku, quantity }) => `${quantity} ${sku}`).join();

export async function createKit(history: History, random: Random): Promise<void> {
  const data = [{ synset: random.of(["KIT-A", "KIT-B"]), items: items(random) }];
  await history.send(random, "createSynsets", { body: { data } });
}

export async function patchKit(history: History, random: Random): Promise<void> {
  const sent = items(random);
  const writes = [{ record: `synset ${history.kitId}`, fields: { items: shownItems(sent) } }];
  await history.send(
    random,
    "patchSynsets",
    { body: { data: [{ synset: "DEMO-KIT", items: sent }] } },
    writes,
  );
}

const created = z.object({ data: z.object({ webhook_id: z.int() }) });

export async function createWebhook(history: History, random: Random): Promise<void> {
  const description = history.name("Hook");
  const url = `https://receiver.example.com/${description}`;
  const writes = [{ record: undefined, fields: { description } }];
  const answer = await history.send(
    random,
    "createWebhook",
    { body: { data: { url, description } } },
    writes,
  );
  if (answer?.status !== 200) return;
  history.webhookIds.push(created.parse(JSON.parse(answer.body)).data.webhook_id);
  history.noteWebhook(url);
}

export async function patchWebhook(history: History, random: Random): Promise<void> {
  if (history.webhookIds.length === 0) return createWebhook(history, random);
  const [webhook_id, description] = [random.of(history.webhookIds), history.name("Hook")];
  const data = { description, ...random.of([{}, { active: true }, { active: true }, { active: false }]) };
  const writes = [{ record: `webhook ${webhook_id}`, fields: { description } }];
  await history.send(
    random,
    "patchWebhook",
    { body: { data }, path: { webhook_id: String(webhook_id) } },
    writes,
  );
}

/** Makes a record unreadable, as by a defect. Whatever else is changed must still be published. */
export async function poison(history: History): Promise<void> {
  const { world } = history;
  const found = world.store.table("inventory").all.find(({ pk }) => pk?.S?.startsWith("alias#"));
  const { pk, sk } = found ?? {};
  if (pk?.S === undefined || sk?.S === undefined) return;
  const Key = { pk: pk.S, sk: sk.S };
  history.isPoisoned = true;
  await world.function("defect", (db) =>
    db.client.send(
      new UpdateCommand({
        TableName: db.tableName("inventory"),
        Key,
        UpdateExpression: "SET sku = :wrong ADD version :one",
        ExpressionAttributeValues: { ":wrong": 0, ":one": 1 },
      }),
    ),
  );
}
