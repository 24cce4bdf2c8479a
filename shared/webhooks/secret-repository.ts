/** Stores the secrets of webhooks, in a table that only the sender can read; see `access.ts`. */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, padded } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup } from "../store/dynamodb/reads.ts";
import { type Insert, insertOf, type Removal, removalOf } from "../store/dynamodb/writes.ts";

const secretItem = z.object({ secret: primitive.text });

export const secretsTable = "secrets";

export const secretLookup = (webhookId: number, version: number): Lookup => ({
  table: secretsTable,
  key: { pk: joined("webhook", webhookId), sk: padded(version) },
});

/** Inserts a new secret. Each version is used once, so this never replaces a secret. */
export const insertSecret = (webhookId: number, version: number, secret: string): Insert =>
  insertOf(secretLookup(webhookId, version), { secret });

export const removeSecret = (webhookId: number, version: number): Removal =>
  removalOf(secretLookup(webhookId, version));

/** The secrets of these versions, in their order. Removed ones are left out. */
export async function readSecrets(
  db: Database,
  webhookId: number,
  versions: readonly number[],
): Promise<readonly string[]> {
  const lookups = versions.map((version) => secretLookup(webhookId, version));
  const find = await getItems(db, lookups);
  return lookups.flatMap((lookup) => {
    const item = find(lookup);
    return item === undefined ? [] : [z.parse(secretItem, item).secret];
  });
}
