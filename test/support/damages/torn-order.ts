import { onTestFinished } from "vitest";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { damage } from "./damage.ts";

/** Makes an order unreadable until the test ends. */
export async function tearOrder(db: Database, orderId: number): Promise<void> {
  const lookup = orderLookup(orderId);
  const { content } = (await getItem(db, lookup)) ?? {};
  onTestFinished(() => damage(db, lookup, {}, { content }));
  await damage(db, lookup, {}, { content: "torn" });
}
