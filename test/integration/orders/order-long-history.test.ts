import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { changeOrders } from "../../../shared/orders/change-orders.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { historyOf as changesOf } from "../../../shared/orders/order-history.ts";
import { setSubStatus } from "../../../shared/orders/order-transitions.ts";
import {
  insertHistory,
  maxShown,
  readChanges,
  readStoredHistory,
} from "../../../shared/orders/storage/order-history-repository.ts";
import { orderLookup, orders, type StoredOrder } from "../../../shared/orders/storage/order-repository.ts";
import { transact, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import type { Change } from "../../../shared/store/dynamodb/writes.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { storedOrder } from "../../support/business/stored.ts";
import { pendingOrder } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf } from "../../support/records/flows.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

const historyOf = async (orderId: number) =>
  listAt((await service.oms.get(`/orders/${orderId}`)).body, "data.history");

/** An order with the changes that its item holds. */
async function storedOf(orderId: number): Promise<StoredOrder> {
  const found = await orders.find(service.db, anyOwner, orderId);
  if (found === undefined) throw new Error(`there is no order ${orderId}`);
  return found;
}

/** Gives an order so many sub-statuses, one after another, that don't compress well; answers them. */
async function annotated(orderId: number, times: number): Promise<readonly string[]> {
  const texts = Array.from({ length: times }, () => randomBytes(32).toString("hex"));
  for (const text of texts) {
    const decide = (before: Order, now: string) => setSubStatus(before, text, now);
    await changeOrders(contextOf(service), [{ order_id: orderId, path: "order_id", decide }]);
  }
  return texts;
}

describe("of an order with many changes", () => {
  let orderId: number;
  let texts: readonly string[];
  const read = async () => ({
    order: await storedOf(orderId),
    stored: await readStoredHistory(service.db, orderId),
  });
  let early: Awaited<ReturnType<typeof read>>;
  let late: typeof early;
  beforeAll(async () => {
    orderId = await pendingOrder(service, undefined);
    const first = await annotated(orderId, 15);
    early = await read();
    texts = [...first, ...(await annotated(orderId, 11))];
    late = await read();
  });

  test("those in its item and those that left it are shown once each, in their order", async () => {
    const history = await historyOf(orderId);

    expect(history.slice(1).map((entry) => at(entry, "sub_status.to"))).toEqual(texts);
    expect(late.stored.length).toBeGreaterThan(1);
    expect(late.stored.length).toBeLessThan(20);
  });

  test("none is lost or shown twice, though the order changed between the reading of both", async () => {
    const shownEarly = await readChanges(service.db, early.order);
    const shownLate = await readChanges(service.db, late.order);

    expect(late.stored.length).toBeGreaterThan(early.stored.length);
    expect(shownEarly.map(({ sub_status }) => sub_status?.to)).toEqual(texts.slice(0, 15));
    expect(shownLate.map(({ sub_status }) => sub_status?.to)).toEqual(texts);
  });
});

describe("of an order with very many changes", () => {
  /**
   * Stores entries beside the order, as if it had been changed `count` times; `change` tells what each one
   * changed.
   */
  async function storeHistory(
    orderId: number,
    count: number,
    atOnce: number,
    change: (version: number) => Partial<Order>,
  ) {
    const order = await storedOrder(service, orderId);
    const writes = Array.from({ length: count }, (_, index) => {
      const after = { ...order, ...change(index + 2), version: index + 2 };
      return insertHistory(after, [changesOf(order, after, `account:${service.accountId}`)]);
    });
    for (let start = 0; start < count; start += atOnce) {
      await transact(service.db, writes.slice(start, start + atOnce));
    }
    const version: Change = {
      kind: "change",
      ...orderLookup(orderId),
      set: { version: count + 1 },
      when: [],
    };
    await transact(service.db, [version]);
  }

  test(`the creation and the latest ${maxShown} are shown`, async () => {
    const orderId = await pendingOrder(service, undefined);
    await storeHistory(orderId, maxShown + 20, transactionLimit, (version) => ({
      sub_status: `version ${version}`,
    }));

    const history = await historyOf(orderId);

    expect(history).toHaveLength(maxShown + 1);
    expect(at(history[0], "status")).toEqual({ from: null, to: "Pending" });
    expect([at(history[1], "sub_status.to"), at(history.at(-1), "sub_status.to")]).toEqual([
      "version 22",
      `version ${maxShown + 21}`,
    ]);
  });

  test("no more of them are read than one call to the database hands out: 1 MB", async () => {
    const orderId = await pendingOrder(service, undefined);
    const [line] = (await storedOrder(service, orderId)).items;
    if (line === undefined) throw new Error("the order has no line");
    const noise = () => ({ ...line, ordered_as: randomBytes(100_000).toString("base64") });
    await storeHistory(orderId, 20, 10, () => ({ items: [noise()] }));

    const stored = await readStoredHistory(service.db, orderId);

    expect(stored.length).toBeGreaterThan(5);
    expect(stored.length).toBeLessThan(15);
    expect(stored.at(0)?.sk).toContain("21");
  });

  test("as many of the latest are shown as one read hands out, so that the answer never grows too large", async () => {
    const orderId = await pendingOrder(service, undefined);
    const [line] = (await storedOrder(service, orderId)).items.map((item) => ({
      ...item,
      ordered_as: "x".repeat(100),
    }));
    const items = Array.from({ length: 200 }, () => line).filter((item) => item !== undefined);
    await storeHistory(orderId, 60, 20, (version) => ({ items, sub_status: `version ${version}` }));

    const answer = await service.oms.get(`/orders/${orderId}`);

    const history = listAt(answer.body, "data.history");
    expect(answer.status).toBe(200);
    expect(history.length).toBeGreaterThan(10);
    expect(history.length).toBeLessThan(60);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000_000);
    expect(at(history[0], "status")).toEqual({ from: null, to: "Pending" });
    expect(at(history.at(-1), "sub_status.to")).toBe("version 61");
  });
});
