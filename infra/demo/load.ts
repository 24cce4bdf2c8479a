/**
 * The demo data of `npm start` and of the tests. The service's own flows create products, stock and orders,
 * so the data obey its rules: for example, movements add up to the stock.
 */

import { worker as applyRecount } from "../../functions/jobs/apply-recount.ts";
import { endpoint as createAliases } from "../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as createProducts } from "../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createSynsets } from "../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as createOrders } from "../../functions/oms/orders/create-orders.ts";
import { applyJobs } from "../../shared/jobs/apply.ts";
import type { Order } from "../../shared/orders/order.ts";
import { orderNumbers } from "../../shared/orders/storage/order-repository.ts";
import { claimOrder, pickOrder, shipOrder } from "../../shared/picking/picking-flows.ts";
import { layouts } from "../../shared/runtime/data-layouts.ts";
import { acceptRecount } from "../../shared/stock/recount/accept-recount.ts";
import { connect, type Database } from "../../shared/store/dynamodb/database.ts";
import { resumeSaga } from "../../shared/store/sagas/saga.ts";
import { awsEnvironment, type Runtime, unsigned } from "../local/index.ts";
import { operatorContext } from "../operator/cli/context.ts";
import { putManufactureOrder } from "../operator/set-up/manufacture.ts";
import { demoStore, setUpAccounts, setUpUsers, setUpWarehouse } from "./registry.ts";

const actor = "demo";

/**
 * A connection to the runtime's tables without the permissions, faults and records of a function. Its calls
 * carry no signature, which DynamoDB Local doesn't check and which would be a quarter of their work.
 */
export const connectTo = ({
  dynamodb: { tables, endpoint, accessKeyId },
}: Pick<Runtime, "dynamodb">): Database => {
  const config: Parameters<typeof connect>[1] = {
    endpoint,
    region: awsEnvironment.region,
    credentials: { accessKeyId, secretAccessKey: "local" },
    signer: {
      sign: async (request) => ({
        ...request,
        headers: { ...request.headers, authorization: unsigned(accessKeyId) },
      }),
    },
  };
  return { ...connect(tables, config, layouts), resumeSaga };
};

export async function loadDemoData(runtime: Pick<Runtime, "dynamodb">): Promise<void> {
  const db = connectTo(runtime);
  await Promise.all([setUpUsers(db), fillDemoStore(db)]);
}

/** Creates the warehouse, the accounts and their registries, and the goods and orders of account 100. */
async function fillDemoStore(db: Database): Promise<void> {
  await Promise.all([setUpWarehouse(db), setUpAccounts(db)]);
  await fillAccount(db, demoStore.account_id);
}

/**
 * Gives an account the demo's products, goods and orders.
 * The warehouse and the account must be set up, with the registries of `setUpStore`.
 */
export async function fillAccount(db: Database, account_id: number): Promise<void> {
  const context = () => ({ ...operatorContext(db), account_id, actor });
  await createProducts.flow({ body: { data: [tee, mug, cap] } }, context());
  await Promise.all([
    countGoods(db, { account_id, by: actor, description: "Opening stock" }, opening),
    createAliases.flow({ body: { data: [alias] } }, context()),
    createSynsets.flow({ body: { data: [kit] } }, context()),
    putManufactureOrder(db, account_id, manufactureOrder),
  ]);
  await createOrders.flow({ body: { data: ["DEMO-1", "DEMO-2", "DEMO-3"].map(order) } }, context());
  await workOnOrders(db, account_id);
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

const alias = { sku: "DEMO-TEE", alias: "EXT-TEE", channel_id: 2 };
const kit = {
  synset: "DEMO-KIT",
  items: [
    { sku: "DEMO-TEE", quantity: 1 },
    { sku: "DEMO-MUG", quantity: 2 },
  ],
};
const manufactureOrder = {
  manufacture_number: "DEMO-MO-1",
  status: "Pending" as const,
  sku: "DEMO-TEE",
  quantity: 50,
  due_date: null,
};

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

/** The contents of the bins before DEMO-3 is shipped. */
const opening: readonly Content[] = [
  { sku: "DEMO-TEE", location: "A1", bin: "01", quantity: 40 },
  { sku: "DEMO-TEE", location: "A1", bin: "02", quantity: 20 },
  { sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 26 },
  { sku: "DEMO-CAP", location: "B1", bin: "01", quantity: 10 },
];

export interface Content {
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
}

interface Count {
  readonly account_id: number;
  readonly by: string;
  readonly description: string;
}

/**
 * Counts goods of an account into bins, each by a recount that is applied at once. A bin may be named once
 * for each product. No messages are sent.
 */
export async function countGoods(db: Database, count: Count, contents: readonly Content[]): Promise<void> {
  const { account_id, by, description: comment } = count;
  const context = { ...operatorContext(db), actor: by };
  const entries = contents.map(({ quantity, ...place }) => ({
    ...place,
    account_id,
    change: { kind: "absolute" as const, quantity },
    comment,
  }));
  const jobs = (await acceptRecount(context, entries, (accepted) => accepted)).map((outcome) => {
    if ("message" in outcome) throw new Error(outcome.message);
    return outcome;
  });
  for (let open = jobs.map((job) => ({ ...job, attempts: 1 })); open.length > 0; ) {
    const { ended, failure } = await applyJobs(applyRecount, db, open);
    if (failure !== undefined) throw failure.error;
    if ([...ended.values()].includes("failed")) throw new Error("a correction can't be applied");
    open = open.filter(({ job_id }) => !ended.has(job_id));
  }
}

async function idOf(db: Database, account_id: number, number: string): Promise<number> {
  const orderId = await orderNumbers.holder(db, account_id, number);
  if (orderId === undefined) throw new Error(`the demo order ${number} was not stored`);
  return orderId;
}

const managerContext = (db: Database) => ({
  ...operatorContext(db),
  actor: "user:manager",
  user_name: "manager",
});

/** DEMO-2 is being picked. DEMO-3 is shipped with a mug from A2/01. */
async function workOnOrders(db: Database, account_id: number): Promise<void> {
  const [processing, shipped] = [await idOf(db, account_id, "DEMO-2"), await idOf(db, account_id, "DEMO-3")];
  const unchanged = (order: Order) => order;
  await claimOrder(managerContext(db), processing, "manager");
  await claimOrder(managerContext(db), shipped, "manager");
  const taken = { sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 1 };
  await pickOrder(managerContext(db), shipped, [taken], unchanged);
  await shipOrder(managerContext(db), shipped, {}, unchanged);
}
