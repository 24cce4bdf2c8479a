/** What calls that write take: processor time for each record, of the function alone. */
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import type { Runtime } from "../../../infra/local/index.ts";
import { readMessage } from "../../../shared/jobs/message.ts";
import { type NewProduct, newProducts } from "../../support/business/world.ts";
import { at } from "../../support/http/client.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { takeMessages } from "../../support/store/jobs.ts";
import type { Deployment } from "../scale/deployment.ts";
import { bundleOf } from "./bundles.ts";
import { account, eventOf } from "./events.ts";
import { startInstance } from "./instance.ts";

/** What a function is called with, and of how many records it is. */
interface Input {
  readonly event: object;
  readonly records: number;
}

/** Events of one kind. Each is another one, since what is stored already would not be stored again. */
interface Kind {
  readonly name: string;
  readonly function: string;
  /** Events that come before, and those that are measured. */
  readonly before: number;
  readonly measured: number;
  readonly inputs: (count: number) => Promise<readonly Input[]>;
}

const several =
  (records: number, event: () => object): Kind["inputs"] =>
  async (count) =>
    Array.from({ length: count }, () => ({ event: event(), records }));

const orders = (products: readonly NewProduct[], count: number) => {
  let next = 0;
  const line = () => ({ sku: products[next++ % products.length]?.sku ?? "", quantity: 1 });
  return several(count, () =>
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
  several(products.length, () => {
    const bins = [{ location: "A1", bin: "03", qty: 1 }];
    return eventOf({
      method: "POST",
      route: "/apirest/v4/wms/recount",
      headers: { username: "manager", key: demoMasterKey },
      body: [{ account_id: 100, skus: products.map(({ sku }) => ({ sku, bins })) }],
    });
  });

/** The messages that lie in a queue, each with its jobs, as Lambda hands them to a worker. */
const messagesOf =
  (runtime: Runtime, kind: string): Kind["inputs"] =>
  async (count) => {
    const bodies = await takeMessages(runtime, kind);
    if (bodies.length < count) throw new Error(`only ${bodies.length} messages are there`);
    return bodies.slice(0, count).map((body) => ({
      event: {
        Records: [{ messageId: unique("message"), body, attributes: { ApproximateReceiveCount: "1" } }],
      },
      records: 1 + (readMessage(body).more?.length ?? 0),
    }));
  };

async function measure(kind: Kind, env: Record<string, string>): Promise<number> {
  const { before, measured } = kind;
  const inputs = await kind.inputs(before + measured);
  const events = inputs.map(({ event }) => event);
  const records = inputs.slice(before).reduce((sum, input) => sum + input.records, 0);
  const instance = await startInstance(bundleOf(kind.function), env);
  await instance.ask(events.slice(0, before));
  const { answering, answer } = await instance.ask(events.slice(before));
  await instance.stop();
  const failed = at(answer, "batchItemFailures") ?? [];
  if ((at(answer, "statusCode") ?? 200) !== 200 || JSON.stringify(failed) !== "[]")
    throw new Error(`${kind.name} answered ${JSON.stringify(answer).slice(0, 300)}`);
  return answering / records;
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
      before: 150,
      measured: 300,
      inputs: orders(products, 1),
    },
    {
      name: "POST /orders with 100 orders",
      function: create,
      before: 2,
      measured: 4,
      inputs: orders(products, 100),
    },
    {
      name: "POST /recount with 100 bins",
      function: "wms/recount",
      before: 2,
      measured: 6,
      inputs: recount(products),
    },
    {
      name: "a worker's message of several recounts",
      function: "jobs/apply-recount",
      before: 4,
      measured: 10,
      inputs: messagesOf(deployment.runtime, "recount"),
    },
  ];
  const found = new Map<string, number>();
  for (const kind of kinds) found.set(kind.name, await measure(kind, env));
  return found;
}
