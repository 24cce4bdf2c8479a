/**
 * What clients do in a schedule, and what they were answered. A client that gets no answer, or one that asks
 * it to, sends the same call again with the same `Idempotency-Key`.
 */
import * as z from "zod";
import { endpoint as listEvents } from "../../functions/oms/events/list-events.ts";
import { endpoint as cancelOrder } from "../../functions/oms/orders/cancel-order.ts";
import { endpoint as createOrders } from "../../functions/oms/orders/create-orders.ts";
import { endpoint as getOrder } from "../../functions/oms/orders/get-order.ts";
import { endpoint as listOrders } from "../../functions/oms/orders/list-orders.ts";
import { endpoint as setSubStatus } from "../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../functions/oms/orders/update-orders.ts";
import { endpoint as recount } from "../../functions/wms/recount.ts";
import { endpoint as revertShipments } from "../../functions/wms/revert-shipments.ts";
import type { Authenticator, Callers } from "../../shared/auth/callers.ts";
import type { BodySchema, Endpoint, RequestSchema } from "../../shared/http/endpoint.ts";
import { lambdaFor } from "../../shared/http/lambda.ts";
import type { Area } from "../../shared/lambda/contract.ts";
import { claimOrder, pickOrder, shipOrder } from "../../shared/picking/process-order.ts";
import { noIdempotencyKey } from "../../shared/store/store-once.ts";
import { context, customerInput, eventOf } from "../unit/samples.ts";
import type { World } from "./world.ts";

/** What a client was answered. */
interface Answered {
  readonly status: number;
  readonly body: string;
}

interface Sent {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
}

/** A call and its answer; times are turns of the schedule. */
export interface Recorded {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly began: number;
  readonly ended: number;
  readonly answer: Answered;
}

type Call = (
  sent: Sent,
  headers: Readonly<Record<string, string>>,
  world: World,
) => Promise<Answered | undefined>;

/** A client's call of an endpoint's Lambda handler. Undefined if the function dies. */
function callOf<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  caller: Callers[A],
  actor: string,
): Call {
  const known: Authenticator<A> = async () => ({ caller, scope: "write", actor });
  const title = `${endpoint.method} ${endpoint.path.split("/").at(-1) ?? ""}`;
  return async ({ body, query, path }, headers, world) => {
    const event = eventOf({
      routeKey: `${endpoint.method} ${endpoint.path}`,
      headers: { "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(query && {
        queryStringParameters: query,
        rawQueryString: new URLSearchParams(query).toString(),
      }),
      ...(path && { pathParameters: path }),
    });
    const ending = await world.function(title, async (db) =>
      lambdaFor<A, I, O>(endpoint, known, async () => db)(event, context),
    );
    if (ending.kind !== "returned") return undefined;
    return { status: ending.value.statusCode ?? 200, body: ending.value.body ?? "" };
  };
}

const account = { account_id: 100 };
const user = { user_name: "manager", user_id: 1, activated: true, wms: true, session_generation: 0 };
const asAccount = "account:100";
const asManager = "user:manager";

const operations = {
  createOrders: callOf(createOrders, account, asAccount),
  updateOrders: callOf(updateOrders, account, asAccount),
  cancelOrder: callOf(cancelOrder, account, asAccount),
  setSubStatus: callOf(setSubStatus, account, asAccount),
  getOrder: callOf(getOrder, account, asAccount),
  listOrders: callOf(listOrders, account, asAccount),
  listEvents: callOf(listEvents, account, asAccount),
  recount: callOf(recount, { user }, asManager),
  revertShipments: callOf(revertShipments, { user }, asManager),
};
type Operation = keyof typeof operations;

const reading: ReadonlySet<Operation> = new Set(["getOrder", "listOrders", "listEvents"]);

/** Answers after which a client sends the same call again. */
const isOpen = ({ status, body }: Answered): boolean =>
  status >= 500 || status === 429 || (status === 409 && body.includes("Idempotency-Key"));

const maxAttempts = 60;

/** What all clients of a schedule know and note. */
export class History {
  readonly calls: Recorded[] = [];
  /** Orders that a client knows of. */
  readonly orderIds: number[];
  readonly world: World;
  #names = 0;

  constructor(world: World, orderIds: readonly number[]) {
    this.world = world;
    this.orderIds = [...orderIds];
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${this.#names}`;
  }

  /** Sends a call until it is answered, and notes it. */
  async send(operation: Operation, sent: Sent): Promise<Answered> {
    const { scheduler, random } = this.world;
    const began = scheduler.turns;
    const key = random.uuid();
    const headers = { ...(reading.has(operation) ? {} : { "idempotency-key": key }) };
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      scheduler.note(() => `${operation} ${JSON.stringify(sent)}`);
      const answer = await operations[operation](sent, headers, this.world);
      const text = answer === undefined ? "no answer" : `${answer.status} ${answer.body.slice(0, 300)}`;
      scheduler.note(() => `${operation}: ${text}`);
      if (answer !== undefined && !isOpen(answer)) {
        this.calls.push({ operation, sent, began, ended: scheduler.turns, answer });
        return answer;
      }
      await scheduler.sleep(random.of([50, 400, 2_000, 36_000]), "retry");
    }
    throw new Error(`${operation} was never answered`);
  }
}

const line = (sku: string, quantity: number) => ({ sku, quantity });
const skus = ["DEMO-TEE", "DEMO-MUG", "DEMO-KIT"];
const pages: readonly Readonly<Record<string, string>>[] = [
  { per_page: "2" },
  { per_page: "2", page: "2" },
  { status_id: "1", per_page: "100" },
  { per_page: "100", order_direction: "desc" },
];

const termsOf = (history: History) => ({
  shipping_method: "GROUND",
  customer: customerInput,
  items: [line(history.world.random.of(skus), 1 + history.world.random.below(4))],
});

/** The steps that a client takes, by the probability of each. */
const steps: readonly ((history: History, orderId: number) => Promise<unknown>)[] = [
  createSome,
  createSome,
  replaceSome,
  replaceSome,
  (history, order_id) => history.send("cancelOrder", { body: { order_id } }),
  (history, order_id) =>
    history.send("setSubStatus", { body: { order_id, sub_status: history.name("SUB") } }),
  (history, order_id) => history.send("getOrder", { path: { order: String(order_id) } }),
  (history) => history.send("listOrders", { query: history.world.random.of(pages) }),
  ({ world }, orderId) => pickAndShip(world, orderId),
  (history, order_id) => history.send("revertShipments", { body: { shipments_list: [order_id] } }),
  (history) => history.send("recount", { body: recountOf(history) }),
];

async function createSome(history: History): Promise<void> {
  const count = 1 + history.world.random.below(3);
  const data = Array.from({ length: count }, () => ({
    order_number: history.name("NEW"),
    ...termsOf(history),
  }));
  const { status, body } = await history.send("createOrders", { body: { data } });
  if (status === 200) history.orderIds.push(...createdIn(body));
}

async function replaceSome(history: History): Promise<void> {
  const { random } = history.world;
  const ids = new Set(Array.from({ length: 1 + random.below(2) }, () => random.of(history.orderIds)));
  const data = [...ids].map((order_id) => ({
    order_id,
    order_reference: history.name("REF"),
    ...termsOf(history),
  }));
  await history.send("updateOrders", { body: { data } });
}

const recountOf = ({ world: { random } }: History) => ({
  account_id: 100,
  sku: "DEMO-TEE",
  location: "A1",
  bin: random.of(["01", "02"]),
  quantity: random.below(60),
  comment: "counted",
});

const created = z.object({ data: z.array(z.object({ order_id: z.int() })) });
const createdIn = (body: string): readonly number[] =>
  created.parse(JSON.parse(body)).data.map(({ order_id }) => order_id);

/** The warehouse claims an order, picks it whole, and ships it, as far as it comes. */
async function pickAndShip(world: World, orderId: number): Promise<void> {
  const stages = 1 + world.random.below(3);
  const ending = await world.function("warehouse", async (db) => {
    const by = () => ({
      db,
      actor: asManager,
      user_name: "manager",
      now: new Date().toISOString(),
      idempotency: noIdempotencyKey,
    });
    const { items } = await claimOrder(by(), orderId, "manager");
    if (stages < 2) return;
    const picks = items.map(({ sku, quantity }) => ({ sku, quantity, ...placeOf(sku) }));
    await pickOrder(by(), orderId, picks, (order) => order);
    if (stages < 3) return;
    await shipOrder(by(), orderId, {}, (order) => order);
  });
  world.scheduler.note(() => `warehouse: ${ending.kind} ${"error" in ending ? String(ending.error) : ""}`);
}

const placeOf = (sku: string) => (sku === "DEMO-MUG" ? bin("A2", "01") : bin("A1", "01"));
const bin = (location: string, name: string) => ({ location, bin: name });

/** Clients that work at the same time. */
export const beginClients = (history: History) => {
  const { scheduler, random } = history.world;
  return Array.from({ length: 2 + random.below(4) }, (_, position) => {
    const count = 1 + random.below(4);
    return scheduler.begin(`client ${position + 1}`, async () => {
      for (let done = 0; done < count; done += 1) {
        await random.of(steps)(history, random.of(history.orderIds));
        if (random.happens(0.05)) scheduler.leap(random.of([1_000, 40_000, 120_000]));
      }
    });
  });
};
