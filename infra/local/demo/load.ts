/**
 * The data that `npm start` and the tests begin with. Products, stock and orders are made by the service's own flows,
 * so that they obey its rules: movements add up to stock from the first unit on.
 */
import { worker as applyRecount } from "../../../functions/jobs/apply-recount.ts";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { findAccount } from "../../../shared/data/accounts.ts";
import { allocate } from "../../../shared/data/allocate.ts";
import { binContentLookup, changeBin, parseBinContent } from "../../../shared/data/bins.ts";
import type { Database } from "../../../shared/data/database.ts";
import { finishJob, insertJob, jobLists } from "../../../shared/data/jobs.ts";
import { everyone } from "../../../shared/data/lists.ts";
import { findOrder, orderIdByNumber, saveOrder } from "../../../shared/data/orders.ts";
import { findProducts } from "../../../shared/data/products.ts";
import { getItem } from "../../../shared/data/reads.ts";
import { changeStock } from "../../../shared/data/stock.ts";
import { transact } from "../../../shared/data/transact.ts";
import { claim, type Decision, type Order, ship } from "../../../shared/domain/order.ts";
import { demoBins, demoStore, setUpRegistries } from "./registry.ts";

const actor = "demo";
const { account_id } = demoStore;

/** Loads the demo data into empty tables. */
export async function fillWithDemoData(db: Database): Promise<void> {
  await setUpRegistries(db);
  const account = await findAccount(db, account_id);
  if (account === undefined) throw new Error("the demo account was not stored");
  const context = () => ({
    db,
    account,
    actor,
    now: new Date().toISOString(),
    foresee: async () => undefined,
  });
  await createProducts.flow({ body: { data: [tee, mug, cap] } }, context());
  await stockBins(db);
  await createOrders.flow({ body: { data: ["DEMO-1", "DEMO-2", "DEMO-3"].map(order) } }, context());
  await claimOrder(db, "DEMO-2");
  await claimOrder(db, "DEMO-3");
  await shipOrder(db, "DEMO-3");
}

const measures = { width: 10, length: 12, height: 4, weight: 0.5 };
const tee = {
  sku: "DEMO-TEE",
  description: "Demo T-shirt",
  ...measures,
  cost: 4.5,
  retail: 19.95,
  case_qty: 24,
};
const mug = { sku: "DEMO-MUG", description: "Demo mug", ...measures, cost: 2.25, retail: 9.5 };
const cap = { sku: "DEMO-CAP", description: "Demo cap", ...measures, cost: 3, retail: 14 };

const order = (order_number: string) => ({
  order_number,
  order_reference: `WEB-${order_number}`,
  shipping_method: "GROUND",
  cart: { store_name: "Demo Web Store" },
  customer: {
    firstname: "Ada",
    lastname: "Demo",
    email: "ada@example.com",
    address1: "1 Sample Street",
    city: "Springfield",
    state: "IL",
    zip: "62701",
    country: "US",
  },
  items: [{ sku: "DEMO-MUG", quantity: 1, sold_price: 9.5 }],
});

/** What lies in the bins before DEMO-3 leaves. */
const opening = [
  { sku: "DEMO-TEE", location: "A1", bin: "01", quantity: 40 },
  { sku: "DEMO-TEE", location: "A1", bin: "02", quantity: 20 },
  { sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 26 },
  { sku: "DEMO-CAP", location: "B1", bin: "01", quantity: 10 },
];

async function stockBins(db: Database): Promise<void> {
  const skus = opening.map(({ sku }) => sku);
  const products = await findProducts(db, account_id, skus);
  const { firstId, at } = await allocate(db, jobLists.recount, everyone, opening.length);
  for (const [position, { sku, location, bin, quantity }] of opening.entries()) {
    const product = products.get(sku);
    const place = demoBins.find((demo) => demo.location === location && demo.bin === bin);
    if (product === undefined || place === undefined) throw new Error(`the demo lacks ${sku} or its bin`);
    const jobId = firstId + position;
    const payload = {
      ...place,
      account_id,
      product_id: product.product_id,
      sku,
      change: { kind: "absolute" as const, quantity },
      new_quantity: quantity,
      description: "Opening stock",
    };
    await transact(db, [insertJob("recount", jobId, actor, at, payload)]);
    const applied = await applyRecount.apply({ db, jobId, by: actor, now: at, payload });
    if ("failed" in applied) throw new Error(applied.failed);
    const finished = finishJob("recount", jobId, { status: "applied" }, { at, attempts: 1 });
    await transact(db, [finished, ...applied.writes]);
  }
}

async function demoOrder(db: Database, number: string): Promise<Order> {
  const orderId = await orderIdByNumber(db, account_id, number);
  const found = orderId === undefined ? undefined : await findOrder(db, account_id, orderId);
  if (found === undefined) throw new Error(`the demo order ${number} was not stored`);
  return found;
}

function decided(decision: Decision): Order {
  if ("problem" in decision) throw decision.problem;
  return decision.after;
}

async function claimOrder(db: Database, number: string): Promise<void> {
  const before = await demoOrder(db, number);
  const after = decided(claim(before, "manager", new Date().toISOString()));
  await transact(db, saveOrder(before, after, "order"));
}

/** Takes the order's mugs out of their bin and ships them, in one transaction. */
async function shipOrder(db: Database, number: string): Promise<void> {
  const at = new Date().toISOString();
  const before = await demoOrder(db, number);
  const { order_id, items } = before;
  const moved = items.map(({ product_id, distribution_center_id, quantity }) => ({
    product_id,
    distribution_center_id,
    on_hand: -quantity,
    reserved: -quantity,
  }));
  const [{ product_id, quantity } = { product_id: 0, quantity: 0 }] = items;
  const content = parseBinContent((await getItem(db, binContentLookup(product_id, "A2", "01"))) ?? {});
  await transact(db, [
    ...saveOrder(before, decided(ship(before, null, at)), "order"),
    changeBin(content, -quantity),
    ...changeStock(moved, { reason: "order_shipped", reference: { order_id }, by: actor, at }),
  ]);
}
