/**
 * A warehouse in which anything may happen to orders, bins, replenishments and returns, in whatever order,
 * beside a plain model of what ought to be then.
 */
import { expect } from "vitest";
import { putAway } from "../../../shared/inbound/put-away.ts";
import type { Answer } from "../http/client.ts";
import { pick, whole } from "../http/random.ts";
import { contextOf } from "../records/flows.ts";
import { orderOf, recountOf } from "../records/records.ts";
import type { Service } from "../runtime/service.ts";
import {
  announceReplenishment,
  announceReturn,
  asItIs,
  claim,
  newProducts,
  pendingOrder,
  pickFrom,
  pickItems,
  shipOrder,
} from "./world.ts";

const bins = ["01", "02", "03"] as const;

interface Line {
  readonly sku: string;
  readonly quantity: number;
}

interface PickedLine extends Line {
  readonly bin: string;
}

interface Placed {
  readonly id: number;
  readonly lines: readonly Line[];
  picked: PickedLine[];
  status: "Pending" | "Processing" | "Shipped" | "Cancelled";
  readonly returned: Map<string, number>;
}

interface Expected {
  readonly id: number;
  readonly kind: "replenishment" | "return";
  readonly sku: string;
  remaining: number;
}

/** What ought to be, reckoned the plain way. */
export class Warehouse {
  readonly skus: readonly string[];
  readonly kit: { readonly synset: string; readonly items: readonly Line[] };
  readonly bins = new Map<string, number>();
  readonly orders: Placed[] = [];
  readonly expected: Expected[] = [];

  readonly service: Service;

  constructor(service: Service, prefix: string) {
    this.service = service;
    const [a, b, c] = [`${prefix}-A`, `${prefix}-B`, `${prefix}-C`] as const;
    this.skus = [a, b, c];
    this.kit = {
      synset: `${prefix}-KIT`,
      items: [
        { sku: a, quantity: 1 },
        { sku: b, quantity: 2 },
      ],
    };
  }

  /** Creates the products and the kit. */
  async open(): Promise<void> {
    await newProducts(
      this.service,
      this.skus.map((sku) => ({ sku })),
    );
    stored(await this.service.oms.post("/inventory/synsets", { data: [this.kit] }));
  }

  /** Lines with kits replaced by their components. */
  exploded(lines: readonly Line[]): readonly Line[] {
    return lines.flatMap((line) =>
      line.sku === this.kit.synset
        ? this.kit.items.map(({ sku, quantity }) => ({ sku, quantity: quantity * line.quantity }))
        : [line],
    );
  }

  inBin(sku: string, bin: string): number {
    return this.bins.get(`${sku}/${bin}`) ?? 0;
  }

  add(sku: string, bin: string, quantity: number): void {
    this.bins.set(`${sku}/${bin}`, this.inBin(sku, bin) + quantity);
  }

  stockOf(sku: string) {
    const sum = (lines: readonly Line[]) =>
      lines.reduce((total, line) => total + (line.sku === sku ? line.quantity : 0), 0);
    const binned = bins.reduce((total, bin) => total + this.inBin(sku, bin), 0);
    const open = this.orders.filter(({ status }) => status === "Pending" || status === "Processing");
    const reserved = open.reduce((total, { lines }) => total + sum(lines), 0);
    const picked = open.reduce((total, order) => total + sum(order.picked), 0);
    const incoming = this.expected
      .filter((one) => one.sku === sku && one.kind === "replenishment")
      .reduce((total, { remaining }) => total + remaining, 0);
    const on_hand = binned + picked;
    return { on_hand, reserved, available: on_hand - reserved, incoming };
  }
}

/** Something that may happen; false where there was nothing for it to happen to. */
export type Step = (warehouse: Warehouse, random: () => number) => Promise<boolean>;

export const stored = (answer: Answer): Answer => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};

/** An order's lines by product. */
function bySku(lines: readonly Line[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { sku, quantity } of lines) sums.set(sku, (sums.get(sku) ?? 0) + quantity);
  return sums;
}

const randomLines = ({ skus, kit }: Warehouse, random: () => number): readonly Line[] =>
  Array.from({ length: whole(random, 1, 3) }, () => ({
    sku: pick(random, [...skus, kit.synset]),
    quantity: whole(random, 1, 3),
  }));

const ofStatus = ({ orders }: Warehouse, status: Placed["status"]) =>
  orders.filter((order) => order.status === status);

const order: Step = async (warehouse, random) => {
  const lines = randomLines(warehouse, random);
  const id = await pendingOrder(warehouse.service, lines);
  warehouse.orders.push({
    id,
    lines: warehouse.exploded(lines),
    picked: [],
    status: "Pending",
    returned: new Map(),
  });
  return true;
};

const edit: Step = async (warehouse, random) => {
  const [before] = ofStatus(warehouse, "Pending");
  if (before === undefined) return false;
  const lines = randomLines(warehouse, random);
  stored(await warehouse.service.oms.put("/orders", { data: [{ ...orderOf(lines), order_id: before.id }] }));
  warehouse.orders.splice(warehouse.orders.indexOf(before), 1, {
    ...before,
    lines: warehouse.exploded(lines),
  });
  return true;
};

const cancel: Step = async (warehouse) => {
  const pending = ofStatus(warehouse, "Pending").at(-1);
  if (pending === undefined) return false;
  stored(await warehouse.service.oms.post("/orders/cancel", { order_id: pending.id }));
  pending.status = "Cancelled";
  return true;
};

const counts = (
  { service: { accountId: account_id } }: Warehouse,
  sku: string,
  bin: Parameters<typeof recountOf>[1][number],
) => recountOf(sku, [bin], { account_id });

const recount: Step = async (warehouse, random) => {
  const [sku, bin] = [pick(random, warehouse.skus), pick(random, bins)];
  const relative = random() < 0.5;
  const change = whole(random, relative ? -warehouse.inBin(sku, bin) : 0, 12);
  const sent = relative ? { qty: change } : { qty_in_bin: change };
  stored(
    await warehouse.service.wms.post("/recount", counts(warehouse, sku, { location: "A1", bin, ...sent })),
  );
  await warehouse.service.settled();
  warehouse.add(sku, bin, relative ? change : change - warehouse.inBin(sku, bin));
  return true;
};

const claimOldest: Step = async (warehouse) => {
  const [pending] = ofStatus(warehouse, "Pending");
  if (pending === undefined) return false;
  await claim(warehouse.service, pending.id);
  pending.status = "Processing";
  return true;
};

/** Picks what there is of what is still to be picked, and ships what is complete. */
const pickSome: Step = async (warehouse, random) => {
  const open = ofStatus(warehouse, "Processing");
  if (open.length === 0) return false;
  const chosen = pick(random, open);
  const before = chosen.picked.length;
  for (const [sku, ordered] of bySku(chosen.lines)) {
    const left = ordered - (bySku(chosen.picked).get(sku) ?? 0);
    const bin = bins.find((candidate) => warehouse.inBin(sku, candidate) > 0);
    if (left === 0 || bin === undefined) continue;
    const quantity = Math.min(left, warehouse.inBin(sku, bin));
    await pickItems(warehouse.service, chosen.id, pickFrom(sku, quantity, `A1/${bin}`));
    chosen.picked.push({ sku, quantity, bin });
    warehouse.add(sku, bin, -quantity);
  }
  return chosen.picked.length > before;
};

/** Gives up an order that is being picked: what was picked goes back into its bins. */
const revert: Step = async (warehouse, random) => {
  const open = ofStatus(warehouse, "Processing");
  if (open.length === 0) return false;
  const chosen = pick(random, open);
  stored(await warehouse.service.wms.post("/shipments/revert/pending", { shipments_list: [chosen.id] }));
  await warehouse.service.settled();
  for (const { sku, bin, quantity } of chosen.picked) warehouse.add(sku, bin, quantity);
  chosen.picked = [];
  chosen.status = "Pending";
  return true;
};

const ship: Step = async (warehouse) => {
  const complete = ofStatus(warehouse, "Processing").filter((open) => {
    const taken = bySku(open.picked);
    return [...bySku(open.lines)].every(([sku, quantity]) => taken.get(sku) === quantity);
  });
  for (const open of complete) {
    await shipOrder(warehouse.service, open.id);
    open.status = "Shipped";
  }
  return complete.length > 0;
};

const replenish: Step = async (warehouse, random) => {
  const line = { sku: pick(random, warehouse.skus), quantity: whole(random, 1, 15) };
  const { replenishment_id: id } = await announceReplenishment(warehouse.service, [line]);
  warehouse.expected.push({ id, kind: "replenishment", sku: line.sku, remaining: line.quantity });
  return true;
};

const giveBack: Step = async (warehouse, random) => {
  const [gone] = ofStatus(warehouse, "Shipped").filter(({ lines, returned: back }) =>
    [...bySku(lines)].some(([sku, quantity]) => (back.get(sku) ?? 0) < quantity),
  );
  if (gone === undefined) return false;
  const open = [...bySku(gone.lines)].map(([sku, quantity]) => ({
    sku,
    left: quantity - (gone.returned.get(sku) ?? 0),
  }));
  const { sku, left } = pick(
    random,
    open.filter((line) => line.left > 0),
  );
  const quantity = whole(random, 1, left);
  const { return_id: id } = await announceReturn(warehouse.service, gone.id, [{ sku, quantity }]);
  gone.returned.set(sku, (gone.returned.get(sku) ?? 0) + quantity);
  warehouse.expected.push({ id, kind: "return", sku, remaining: quantity });
  return true;
};

const putSomeAway: Step = async (warehouse, random) => {
  const open = warehouse.expected.filter(({ remaining }) => remaining > 0);
  if (open.length === 0) return false;
  const chosen = pick(random, open);
  const [quantity, bin] = [whole(random, 1, chosen.remaining), pick(random, bins)];
  const target = chosen.kind === "return" ? { return_id: chosen.id } : { replenishment_id: chosen.id };
  await putAway(
    contextOf(warehouse.service),
    target,
    { sku: chosen.sku, quantity, location: "A1", bin },
    asItIs,
  );
  chosen.remaining -= quantity;
  warehouse.add(chosen.sku, bin, quantity);
  return true;
};

export const steps: readonly Step[] = [
  order,
  order,
  edit,
  cancel,
  recount,
  recount,
  claimOldest,
  claimOldest,
  pickSome,
  pickSome,
  revert,
  ship,
  ship,
  replenish,
  giveBack,
  giveBack,
  putSomeAway,
  putSomeAway,
];
