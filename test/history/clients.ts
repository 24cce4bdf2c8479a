/** What clients do: each step makes a few calls, and notes for every record what it was answered. */
import * as z from "zod";
import type { Answer } from "../support/http/client.ts";
import { pick as oneOf, whole } from "../support/http/random.ts";
import { customer, productOf, recountOf } from "../support/records/records.ts";
import type { Calls, Exchange, Request } from "./calls.ts";
import type { History } from "./history.ts";
import type { BinInput, OrderInput, OrderOutput, ProductInput } from "./models.ts";

/** Products that are ordered, each in a bin of its own, and one that is only counted. */
export const orderedSkus = ["HISTORY-1", "HISTORY-2", "HISTORY-3"];
export const countedSku = "HISTORY-COUNTED";
const countedBins = ["01", "02"];

export const orderAnswer = z.object({
  order_id: z.int(),
  order_number: z.string(),
  version: z.int(),
  status: z.string(),
  order_reference: z.string().nullable(),
  sub_status: z.string().nullable(),
  items: z.array(z.object({ sku: z.string(), quantity: z.int() })),
});
export type OrderAnswer = z.output<typeof orderAnswer>;
const productAnswer = z.object({
  product_id: z.int(),
  sku: z.string(),
  version: z.int(),
  description: z.string(),
});

const oneOrder = z.object({ data: orderAnswer });
const manyOrders = z.object({ data: z.array(orderAnswer) });
export const orderPage = z.object({
  data: z.array(orderAnswer),
  metadata: z.object({ total_records: z.int(), total_current_page: z.int() }),
});
export const eventPage = z.object({
  data: z.array(z.looseObject({ sequence: z.int() })),
  feed: z.object({ next_after: z.int(), latest: z.int() }),
});
const pickLists = z.object({
  data: z.array(
    z.object({
      order_id: z.int(),
      status: z.string(),
      items: z.array(
        z.object({
          sku: z.string(),
          picked: z.int(),
          bins: z.array(z.object({ location: z.string(), bin: z.string(), quantity: z.int() })),
        }),
      ),
    }),
  ),
});
const pickLog = z.object({
  data: z.object({ status: z.string(), items: z.array(z.object({ picked: z.int() })) }),
});
const acceptedJobs = z.object({
  response: z.object({ jobs: z.array(z.object({ job_id: z.int() })) }),
});
const acceptedRecount = z.object({
  result: z.array(z.object({ bin: z.string(), correction_id: z.int(), new_quantity: z.int() })),
});
const jobAnswer = z.object({ data: z.object({ status: z.enum(["queued", "applied", "failed"]) }) });

const refusalOf = ({ status }: Answer) => ({ refused: status });

/** What an answer shows of an order. */
export const shownOf = ({ version, status, order_reference, sub_status, items }: OrderAnswer) => ({
  version,
  status,
  reference: order_reference,
  sub_status,
  units: items.reduce((sum, { quantity }) => sum + quantity, 0),
});

/** Orders that are worked on at once: few, so that clients meet. */
const maxOpen = 14;

export class Clients {
  readonly calls: Calls;
  readonly history: History;
  readonly #random: () => number;

  constructor(calls: Calls, history: History) {
    this.calls = calls;
    this.history = history;
    this.#random = calls.random;
  }

  /** Notes the orders that are there, creates the products, and counts them in. */
  async prepare(): Promise<void> {
    const { answer } = await this.calls.read({ area: "oms", method: "GET", path: "/orders" });
    for (const order of orderPage.parse(answer.body).data)
      this.history.initial.set(order.order_id, { ...shownOf(order), picked: 0 });
    for (const sku of [...orderedSkus, countedSku]) {
      const data = [productOf({ sku, description: this.history.name("TEXT"), distribution_center: "MAIN" })];
      const { body } = await this.#mustWrite({
        area: "oms",
        method: "POST",
        path: "/inventory/products",
        body: { data },
      });
      const [product] = z.object({ data: z.array(productAnswer) }).parse(body).data;
      if (product !== undefined) this.history.created.set(sku, product);
    }
    for (const [position, sku] of orderedSkus.entries()) {
      const bins = [{ location: "B1", bin: `0${position + 1}`, qty: 1_000_000 }];
      const counted = await this.#mustWrite({
        area: "wms",
        method: "POST",
        path: "/recount",
        body: recountOf(sku, bins),
      });
      for (const { correction_id } of acceptedRecount.parse(counted.body).result)
        await this.jobDone(correction_id);
    }
  }

  async #mustWrite(request: Request): Promise<Answer> {
    const { answer } = await this.calls.write(request, { mayGiveUp: false });
    if (answer?.status !== 200) throw new Error(`${request.path}: ${JSON.stringify(answer?.body)}`);
    return answer;
  }

  /** Works until `isOver`. */
  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#step();
  }

  #step(): Promise<unknown> {
    const { open } = this.history;
    if (open.length < maxOpen) return this.#createOrders();
    const orderId = oneOf(this.#random, open);
    const steps: readonly (readonly [number, () => Promise<unknown>])[] = [
      [20, () => this.#replaceOrders([orderId])],
      [4, () => this.#replaceOrders([...new Set([orderId, oneOf(this.#random, open)])])],
      [12, () => this.#annotate(orderId)],
      [2, () => this.#cancel(orderId)],
      [14, () => this.readOrder(orderId)],
      [8, () => this.#listOrders()],
      [8, () => this.#patchProduct(oneOf(this.#random, orderedSkus))],
      [6, () => this.#readProduct(oneOf(this.#random, orderedSkus))],
      [8, () => this.#recount()],
      [3, () => this.#readStock()],
      [6, () => this.#pickOrders()],
      [4, () => this.#readFeed()],
      [5, () => this.calls.repeat()],
    ];
    let left = this.#random() * steps.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = steps.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    return (chosen ?? steps[0])?.[1]() ?? Promise.resolve();
  }

  async #createOrders(): Promise<void> {
    const { history } = this;
    const inputs = Array.from({ length: whole(this.#random, 1, 3) }, () => ({
      number: history.name("NUMBER"),
      input: { call: "create", reference: history.name("REF"), units: whole(this.#random, 1, 3) } as const,
    }));
    const data = inputs.map(({ number, input }) => ({ order_number: number, ...this.#termsOf(input) }));
    history.ordersBegun += inputs.length;
    const isKeyed = this.#random() < 0.8;
    const exchange = await this.calls.write(
      { area: "oms", method: "POST", path: "/orders", body: { data } },
      { isKeyed },
    );
    for (const { number, input } of inputs) history.creations.set(number, { input, exchange });
    if (exchange.answer === undefined) return;
    if (exchange.answer.status !== 200) {
      this.calls.find(
        "a new order was refused",
        `a new order was refused: ${JSON.stringify(exchange.answer.body)}`,
      );
      return;
    }
    for (const { order_id } of manyOrders.parse(exchange.answer.body).data) {
      history.open.push(order_id);
      history.ordersCreated += 1;
    }
  }

  #termsOf({ reference, units }: { readonly reference: string; readonly units: number }) {
    const items = [{ sku: oneOf(this.#random, orderedSkus), quantity: units }];
    return { order_reference: reference, shipping_method: "GROUND", customer, items };
  }

  /** The version that a client states: that of a read just before, or none. */
  async #expected(orderId: number): Promise<number | undefined> {
    if (this.#random() < 0.5) return undefined;
    return (await this.readOrder(orderId))?.version;
  }

  async #replaceOrders(orderIds: readonly number[]): Promise<void> {
    const { history } = this;
    const replacements = await Promise.all(
      orderIds.map(async (order_id) => ({
        order_id,
        input: {
          call: "replace",
          reference: history.name("REF"),
          units: whole(this.#random, 1, 3),
          expected: await this.#expected(order_id),
        } as const,
      })),
    );
    const ifMatch =
      replacements.length === 1 && this.#random() < 0.5 ? replacements[0]?.input.expected : undefined;
    const data = replacements.map(({ order_id, input }) => ({
      order_id,
      ...this.#termsOf(input),
      ...(ifMatch === undefined && { version: input.expected }),
    }));
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    const exchange = await this.calls.write(
      { area: "oms", method: "PUT", path: "/orders", body: { data }, headers },
      { isKeyed: replacements.length > 1 || this.#random() < 0.8 },
    );
    const { answer } = exchange;
    const stored = answer?.status === 200 ? manyOrders.parse(answer.body).data : [];
    for (const [position, { order_id, input }] of replacements.entries()) {
      const shown = stored[position];
      // A refusal of several records does not say which of them was stored by an earlier attempt.
      const refused = answer === undefined || replacements.length > 1 ? undefined : refusalOf(answer);
      history.orders.note(order_id, exchange, input, shown === undefined ? refused : shownOf(shown));
    }
  }

  async #annotate(orderId: number): Promise<void> {
    const sub_status = this.history.name("SUB");
    const expected = await this.#expected(orderId);
    const request = this.#changeOf(orderId, "/orders/sub_status", { sub_status }, expected);
    const exchange = await this.calls.write(request, { isKeyed: this.#random() < 0.8 });
    this.#noteOrder(orderId, exchange, { call: "annotate", sub_status, expected });
  }

  async #cancel(orderId: number): Promise<void> {
    const expected = await this.#expected(orderId);
    const exchange = await this.calls.write(this.#changeOf(orderId, "/orders/cancel", {}, expected), {
      isKeyed: this.#random() < 0.8,
    });
    const order = this.#noteOrder(orderId, exchange, { call: "cancel", expected });
    if (order?.status === "Cancelled") this.history.close(orderId);
  }

  #changeOf(order_id: number, path: string, more: object, expected: number | undefined): Request {
    const headers = expected === undefined ? {} : { "if-match": `"${expected}"` };
    return { area: "oms", method: "POST", path, body: { order_id, ...more }, headers };
  }

  /** Notes a call about an order that is answered by the order. */
  #noteOrder(orderId: number, exchange: Exchange, input: OrderInput): OrderAnswer | undefined {
    const { answer } = exchange;
    const order = answer?.status === 200 ? oneOrder.parse(answer.body).data : undefined;
    const output: OrderOutput | undefined = order ? shownOf(order) : answer && refusalOf(answer);
    this.history.orders.note(orderId, exchange, input, output);
    return order;
  }

  async readOrder(orderId: number): Promise<OrderAnswer | undefined> {
    const exchange = await this.calls.read({ area: "oms", method: "GET", path: `/orders/${orderId}` });
    return this.#noteOrder(orderId, exchange, { call: "read" });
  }

  /**
   * Reads a page from either end, filtered or not: it must hold as many records as it says, and each total
   * must fit.
   */
  async #listOrders(): Promise<void> {
    const { history, calls } = this;
    const createdBefore = history.ordersCreated;
    const filter = oneOf(this.#random, ["", "", "&status_id=1", "&status_id=4"]);
    const direction = oneOf(this.#random, ["asc", "desc", "desc"]);
    const path = `/orders?per_page=${whole(this.#random, 5, 40)}&order_direction=${direction}${filter}`;
    const exchange = await calls.read({ area: "oms", method: "GET", path });
    this.notePage(path, exchange);
    const { total_records } = orderPage.parse(exchange.answer.body).metadata;
    const [least, most] = [createdBefore, history.ordersBegun].map((count) => history.initial.size + count);
    if (filter === "" && (total_records < (least ?? 0) || total_records > (most ?? 0)))
      calls.find(
        "a total of orders is wrong",
        `the total of orders is ${total_records}, not ${least} to ${most}`,
      );
  }

  /** Notes the orders of a page, each of which is a read. */
  notePage(path: string, exchange: Exchange & { readonly answer: Answer }): readonly OrderAnswer[] {
    const { data, metadata } = orderPage.parse(exchange.answer.body);
    const ids = new Set(data.map(({ order_id }) => order_id));
    if (metadata.total_current_page !== ids.size || data.length !== ids.size)
      this.calls.find(
        `${path}: the page says ${metadata.total_current_page} records and shows ${ids.size} of ${data.length}`,
      );
    for (const order of data)
      this.history.orders.note(order.order_id, exchange, { call: "read" }, shownOf(order));
    return data;
  }

  async #patchProduct(sku: string): Promise<void> {
    const description = this.history.name("TEXT");
    const expected = this.#random() < 0.5 ? await this.#readProduct(sku) : undefined;
    const exchange = await this.calls.write(
      {
        area: "oms",
        method: "PATCH",
        path: "/inventory/products",
        body: { data: [{ sku, description, version: expected }] },
      },
      { isKeyed: this.#random() < 0.8 },
    );
    this.#noteProduct(sku, exchange, { call: "patch", description, expected });
  }

  async #readProduct(sku: string): Promise<number | undefined> {
    const exchange = await this.calls.read({
      area: "oms",
      method: "GET",
      path: `/inventory/products/${sku}`,
    });
    return this.#noteProduct(sku, exchange, { call: "read" });
  }

  #noteProduct(sku: string, exchange: Exchange, input: ProductInput): number | undefined {
    const { answer } = exchange;
    const body = z.object({ data: z.union([productAnswer, z.tuple([productAnswer])]) });
    const data = answer?.status === 200 ? body.parse(answer.body).data : undefined;
    const product = Array.isArray(data) ? data[0] : data;
    const shown = product && { version: product.version, description: product.description };
    this.history.products.note(sku, exchange, input, shown ?? (answer && refusalOf(answer)));
    return product?.version;
  }

  async #recount(): Promise<void> {
    const isAbsolute = this.#random() < 0.3;
    const bins = isAbsolute && this.#random() < 0.5 ? countedBins : [oneOf(this.#random, countedBins)];
    const input: BinInput = isAbsolute
      ? { qty_in_bin: whole(this.#random, 0, 20) }
      : { qty: whole(this.#random, -10, 12) || 1 };
    const body = recountOf(
      countedSku,
      bins.map((bin) => ({ location: "A1", bin, ...input })),
    );
    const isKeyed = bins.length > 1 || this.#random() < 0.8;
    const exchange = await this.calls.write(
      { area: "wms", method: "POST", path: "/recount", body },
      { isKeyed },
    );
    const { answer } = exchange;
    const accepted = answer?.status === 200 ? acceptedRecount.parse(answer.body).result : [];
    for (const bin of bins) {
      const entry = accepted.find((one) => one.bin === bin);
      if (entry !== undefined) this.history.jobs.add(entry.correction_id);
      this.history.bins.note(
        bin,
        exchange,
        input,
        entry === undefined ? answer && refusalOf(answer) : { units: entry.new_quantity },
      );
    }
  }

  async #readStock(): Promise<void> {
    const { answer } = await this.calls.read({ area: "oms", method: "GET", path: "/inventory/stock" });
    const levels = z
      .object({
        data: z.array(z.object({ sku: z.string(), on_hand: z.int(), reserved: z.int(), available: z.int() })),
      })
      .parse(answer.body).data;
    for (const { sku, on_hand, reserved, available } of levels)
      if (on_hand < 0 || reserved < 0 || available !== on_hand - reserved)
        this.calls.find(
          `stock of ${sku} is wrong`,
          `stock of ${sku}: ${on_hand} on hand, ${reserved} reserved, ${available} available`,
        );
  }

  /** Claims orders, picks each whole, and ships it or has it reverted. */
  async #pickOrders(): Promise<void> {
    const claiming = await this.#mobile("pp-getOrders-1", { limit: whole(this.#random, 1, 3) });
    const { answer } = claiming;
    const lists = answer?.status === 200 ? pickLists.parse(answer.body).data : [];
    if (claiming.isRetried || lists.length === 0) this.history.openClaims.push(claiming);
    for (const { order_id, status, items } of lists) {
      const picked = items.reduce((sum, item) => sum + item.picked, 0);
      this.history.orders.note(order_id, claiming, { call: "claim" }, { status, picked });
    }
    for (const { order_id, items } of lists.slice(0, 2)) await this.#pickOrder(order_id, items);
  }

  async #pickOrder(
    orderId: number,
    items: z.output<typeof pickLists>["data"][number]["items"],
  ): Promise<void> {
    const { orders } = this.history;
    const picks = items.flatMap(({ sku, bins }) =>
      bins.map(({ location, bin, quantity }) => ({ sku, location, bin, quantity })),
    );
    const units = picks.reduce((sum, { quantity }) => sum + quantity, 0);
    if (units > 0) {
      const exchange = await this.#mobile("pp-updateLogPick-1", { order_id: orderId, picks });
      const { answer } = exchange;
      const log = answer?.status === 200 ? pickLog.parse(answer.body).data : undefined;
      const picked = log?.items.reduce((sum, item) => sum + item.picked, 0) ?? 0;
      orders.note(
        orderId,
        exchange,
        { call: "pick", units },
        log ? { status: log.status, picked } : answer && refusalOf(answer),
      );
    }
    if (this.#random() < 0.4) return this.#revert(orderId);
    const exchange = await this.#mobile("qc-shippings-1", { order_id: orderId, approve: true });
    const { answer } = exchange;
    const isShipped = answer?.status === 200;
    orders.note(
      orderId,
      exchange,
      { call: "ship" },
      isShipped ? { status: "Shipped" } : answer && refusalOf(answer),
    );
    if (isShipped) this.history.close(orderId);
  }

  #mobile(path: string, body: object): Promise<Exchange> {
    return this.calls.write(
      { area: "mobile", method: "POST", path: `/mobile-v1/${path}`, body },
      { mayGiveUp: path !== "pp-getOrders-1" },
    );
  }

  /** Queues a revert, and waits until it is applied. */
  async #revert(orderId: number): Promise<void> {
    const exchange = await this.calls.write({
      area: "wms",
      method: "POST",
      path: "/shipments/revert/pending",
      body: { shipments_list: [orderId] },
    });
    const { answer, began } = exchange;
    const input = { call: "revert" } as const;
    if (answer === undefined) {
      // The job may have been stored, and is applied at any time then.
      const open = { ...exchange, ended: Number.POSITIVE_INFINITY };
      this.history.orders.note(orderId, open, input, undefined);
      return;
    }
    if (answer.status !== 200) return;
    for (const { job_id } of acceptedJobs.parse(answer.body).response.jobs) {
      this.history.jobs.add(job_id);
      const done = await this.jobDone(job_id);
      const applying = { ...exchange, began, ended: this.calls.now };
      this.history.orders.note(orderId, applying, input, done === "applied" ? {} : { refused: 400 });
    }
  }

  /** The outcome of a job, once it has one. */
  async jobDone(jobId: number): Promise<"applied" | "failed"> {
    for (;;) {
      const { answer } = await this.calls.read({ area: "wms", method: "GET", path: `/jobs/${jobId}` });
      const { status } = jobAnswer.parse(answer.body).data;
      if (status !== "queued") return status;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async #readFeed(): Promise<void> {
    const { tail } = this.history;
    const after = whole(this.#random, Math.max(0, tail.size - 50), tail.size);
    const { answer } = await this.calls.read({
      area: "oms",
      method: "GET",
      path: `/events?after=${after}&limit=100`,
    });
    for (const event of eventPage.parse(answer.body).data)
      this.noteEvent(event.sequence, JSON.stringify(event));
  }

  /** Notes an event; the same sequence must always be the same event. */
  noteEvent(sequence: number, event: string): void {
    const { tail } = this.history;
    const earlier = tail.get(sequence);
    if (earlier !== undefined && earlier !== event)
      this.calls.find(`event ${sequence} changed`, `event ${sequence} was ${earlier}, and is ${event}`);
    tail.set(sequence, event);
  }
}
