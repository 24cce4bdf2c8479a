/** What calls that write take: processor time for each record, of the function alone. */
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import type { Runtime } from "../../../infra/local/index.ts";
import { at } from "../../support/http/client.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { takeMessages } from "../../support/store/jobs.ts";
import { type NewProduct, newProducts } from "../../support/store/world.ts";
import type { Deployment } from "../scale/deployment.ts";
import { bundleOf } from "./bundles.ts";
import { account, eventOf } from "./events.ts";
import { startInstance } from "./instance.ts";

/** Events of one kind. Each is another one, since what is stored already would not be stored again. */
interface Kind {
  readonly name: string;
  readonly function: string;
  /** Records that each event is about. */
  readonly records: number;
  /** Events that come before, and those that are measured. */
  readonly before: number;
  readonly measured: number;
  readonly events: (count: number) => Promise<readonly object[]>;
}

const several = (event: () => object) => async (count: number) => Array.from({ length: count }, event);

const orders = (products: readonly NewProduct[], count: number) => {
  let next = 0;
  const line = () => ({ sku: products[next++ % products.length]?.sku ?? "", quantity: 1 });
  return several(() =>
    eventOf({
      method: "POST",
      route: "/apirest/v4/oms/orders",
      headers: account,
      body: { data: Array.from({ length: count }, () => orderOf([line(), line(), line()])) },
    }),
  );
};

/** Adds a unit to a bin of each product. */
const recount = (products: readonly NewProduct[]) =>
  several(() => {
    const bins = [{ location: "A1", bin: "03", qty: 1 }];
    return eventOf({
      method: "POST",
      route: "/apirest/v4/wms/recount",
      headers: { username: "manager", key: demoMasterKey },
      body: [{ account_id: 100, skus: products.map(({ sku }) => ({ sku, bins })) }],
    });
  });

/** Batches of the messages that lie in a queue, as Lambda hands them to a worker. */
const batches = (runtime: Runtime, kind: string, size: number) => async (count: number) => {
  const messages = await takeMessages(runtime, kind);
  if (messages.length < count * size) throw new Error(`only ${messages.length} messages are there`);
  return Array.from({ length: count }, (_, batch) => ({
    Records: messages.slice(batch * size, (batch + 1) * size).map((body) => ({
      messageId: unique("message"),
      body,
      attributes: { ApproximateReceiveCount: "1" },
    })),
  }));
};

async function measure(kind: Kind, env: Record<string, string>): Promise<number> {
  const { records, before, measured } = kind;
  const events = await kind.events(before + measured);
  const instance = await startInstance(bundleOf(kind.function), env);
  await instance.ask(events.slice(0, before));
  const { answering, answer } = await instance.ask(events.slice(before));
  await instance.stop();
  const failed = at(answer, "batchItemFailures") ?? [];
  if ((at(answer, "statusCode") ?? 200) !== 200 || JSON.stringify(failed) !== "[]")
    throw new Error(`${kind.name} answered ${JSON.stringify(answer).slice(0, 300)}`);
  return answering / measured / records;
}

/** Microseconds of processor time a record, by what is written. */
export async function writes(
  deployment: Deployment,
  env: Record<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const products = await newProducts(deployment, 100);
  const create = "oms/orders/create-orders";
  const kinds: readonly Kind[] = [
    {
      name: "POST /orders with 1 order",
      function: create,
      records: 1,
      before: 150,
      measured: 300,
      events: orders(products, 1),
    },
    {
      name: "POST /orders with 100 orders",
      function: create,
      records: 100,
      before: 2,
      measured: 4,
      events: orders(products, 100),
    },
    {
      name: "POST /recount with 100 bins",
      function: "wms/recount",
      records: 100,
      before: 2,
      measured: 6,
      events: recount(products),
    },
    {
      name: "a worker's batch of 10 recounts",
      function: "jobs/apply-recount",
      records: 10,
      before: 20,
      measured: 50,
      events: batches(deployment.runtime, "recount", 10),
    },
  ];
  const found = new Map<string, number>();
  for (const kind of kinds) found.set(kind.name, await measure(kind, env));
  return found;
}
