/**
 * Whatever happens to orders, bins, replenishments and returns, in whatever order: the movements of a product add up
 * to its stock, and what is on hand lies in the bins or is picked. Held against a plain model of the warehouse.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { claimOrder, shipOrder } from "../../../shared/operations/advance-order.ts";
import { noForesight } from "../../../shared/operations/context.ts";
import { pickOrder } from "../../../shared/operations/pick-order.ts";
import { putAway } from "../../../shared/operations/put-away.ts";
import { type Answer, listAt, numberAt } from "../../support/client.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { pick, randomFrom, whole } from "../../support/random.ts";
import { orderOf, productOf, recountOf } from "../../support/records.ts";
import { asItIs } from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

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
class Warehouse {
  readonly skus: readonly string[];
  readonly kit: { readonly synset: string; readonly items: readonly Line[] };
  readonly bins = new Map<string, number>();
  readonly orders: Placed[] = [];
  readonly expected: Expected[] = [];

  constructor(prefix: string) {
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

type Step = (warehouse: Warehouse, random: () => number) => Promise<void>;

const manager = () => ({ actor: "user:manager", user_name: "manager", now: new Date().toISOString() });

const stored = (answer: Answer): Answer => {
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
  const { body } = stored(await service.oms.post("/orders", { data: [orderOf(lines)] }));
  const id = numberAt(body, "data.0.order_id");
  warehouse.orders.push({
    id,
    lines: warehouse.exploded(lines),
    picked: [],
    status: "Pending",
    returned: new Map(),
  });
};

const edit: Step = async (warehouse, random) => {
  const [before] = ofStatus(warehouse, "Pending");
  if (before === undefined) return;
  const lines = randomLines(warehouse, random);
  stored(await service.oms.put("/orders", { data: [{ ...orderOf(lines), order_id: before.id }] }));
  warehouse.orders.splice(warehouse.orders.indexOf(before), 1, {
    ...before,
    lines: warehouse.exploded(lines),
  });
};

const cancel: Step = async (warehouse) => {
  const pending = ofStatus(warehouse, "Pending").at(-1);
  if (pending === undefined) return;
  stored(await service.oms.post("/orders/cancel", { order_id: pending.id }));
  pending.status = "Cancelled";
};

const recount: Step = async (warehouse, random) => {
  const [sku, bin] = [pick(random, warehouse.skus), pick(random, bins)];
  const relative = random() < 0.5;
  const change = whole(random, relative ? -warehouse.inBin(sku, bin) : 0, 12);
  const sent = relative ? { qty: change } : { qty_in_bin: change };
  stored(await service.wms.post("/recount", recountOf(sku, [{ location: "A1", bin, ...sent }])));
  await service.runtime.settled();
  warehouse.add(sku, bin, relative ? change : change - warehouse.inBin(sku, bin));
};

const claimOldest: Step = async (warehouse) => {
  const [pending] = ofStatus(warehouse, "Pending");
  if (pending === undefined) return;
  await claimOrder({ ...manager(), db: service.db, foresee: noForesight }, pending.id, "manager");
  pending.status = "Processing";
};

/** Picks what there is of what is still to be picked, and ships what is complete. */
const pickSome: Step = async (warehouse, random) => {
  const open = ofStatus(warehouse, "Processing");
  if (open.length === 0) return;
  const chosen = pick(random, open);
  for (const [sku, ordered] of bySku(chosen.lines)) {
    const left = ordered - (bySku(chosen.picked).get(sku) ?? 0);
    const bin = bins.find((candidate) => warehouse.inBin(sku, candidate) > 0);
    if (left === 0 || bin === undefined) continue;
    const quantity = Math.min(left, warehouse.inBin(sku, bin));
    await pickOrder(
      { ...manager(), db: service.db, foresee: noForesight },
      chosen.id,
      [{ sku, location: "A1", bin, quantity }],
      asItIs,
    );
    chosen.picked.push({ sku, quantity, bin });
    warehouse.add(sku, bin, -quantity);
  }
};

/** Gives up an order that is being picked: what was picked goes back into its bins. */
const revert: Step = async (warehouse, random) => {
  const open = ofStatus(warehouse, "Processing");
  if (open.length === 0) return;
  const chosen = pick(random, open);
  stored(await service.wms.post("/shipments/revert/pending", { shipments_list: [chosen.id] }));
  await service.runtime.settled();
  for (const { sku, bin, quantity } of chosen.picked) warehouse.add(sku, bin, quantity);
  chosen.picked = [];
  chosen.status = "Pending";
};

const ship: Step = async (warehouse) => {
  for (const open of ofStatus(warehouse, "Processing")) {
    const picked = bySku(open.picked);
    if (![...bySku(open.lines)].every(([sku, quantity]) => picked.get(sku) === quantity)) continue;
    await shipOrder({ ...manager(), db: service.db, foresee: noForesight }, open.id, null, asItIs);
    open.status = "Shipped";
  }
};

const replenish: Step = async (warehouse, random) => {
  const line = { sku: pick(random, warehouse.skus), quantity: whole(random, 1, 15) };
  const { body } = stored(await service.oms.post("/inventory/replenishments", { data: [{ items: [line] }] }));
  const id = numberAt(body, "data.0.replenishment_id");
  warehouse.expected.push({ id, kind: "replenishment", sku: line.sku, remaining: line.quantity });
};

const giveBack: Step = async (warehouse, random) => {
  const [shipped] = ofStatus(warehouse, "Shipped").filter(({ lines, returned }) =>
    [...bySku(lines)].some(([sku, quantity]) => (returned.get(sku) ?? 0) < quantity),
  );
  if (shipped === undefined) return;
  const open = [...bySku(shipped.lines)].map(([sku, quantity]) => ({
    sku,
    left: quantity - (shipped.returned.get(sku) ?? 0),
  }));
  const { sku, left } = pick(
    random,
    open.filter((line) => line.left > 0),
  );
  const quantity = whole(random, 1, left);
  const { body } = stored(
    await service.oms.post("/inventory/returns", {
      data: [{ order_id: shipped.id, items: [{ sku, quantity, reason: "too many" }] }],
    }),
  );
  shipped.returned.set(sku, (shipped.returned.get(sku) ?? 0) + quantity);
  warehouse.expected.push({
    id: numberAt(body, "data.0.return_id"),
    kind: "return",
    sku,
    remaining: quantity,
  });
};

const putSomeAway: Step = async (warehouse, random) => {
  const open = warehouse.expected.filter(({ remaining }) => remaining > 0);
  if (open.length === 0) return;
  const chosen = pick(random, open);
  const [quantity, bin] = [whole(random, 1, chosen.remaining), pick(random, bins)];
  const target = chosen.kind === "return" ? { return_id: chosen.id } : { replenishment_id: chosen.id };
  const context = { account_id: 100, actor: "account:100", now: new Date().toISOString() };
  await putAway(
    { ...context, db: service.db, foresee: noForesight },
    target,
    { sku: chosen.sku, quantity, location: "A1", bin },
    asItIs,
  );
  chosen.remaining -= quantity;
  warehouse.add(chosen.sku, bin, quantity);
};

const steps: readonly Step[] = [
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

/** What the movements list says, page after page. */
async function movementsOf(sku: string) {
  const all: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = stored(
      await service.oms.get(`/inventory/stock/${sku}/movements?per_page=25&page=${page}`),
    );
    const shown = listAt(body, "data");
    all.push(...shown);
    if (shown.length === 0) {
      expect(numberAt(body, "metadata.total_records")).toBe(all.length);
      return all;
    }
  }
}

const sum = (movements: readonly unknown[], name: string): number =>
  movements.reduce<number>((total, movement) => total + numberAt(movement, name), 0);

async function stockShown(sku: string) {
  const { body } = stored(await service.oms.get(`/inventory/stock?sku=${sku}`));
  const shown = (name: string) => numberAt(body, `data.0.${name}`);
  return {
    on_hand: shown("on_hand"),
    reserved: shown("reserved"),
    available: shown("available"),
    incoming: shown("incoming"),
  };
}

test.each([7, 1122])(
  "stock is what movements add up to, and what bins and picks hold (seed %i)",
  async (seed) => {
    const random = randomFrom(seed);
    const warehouse = new Warehouse(`LEDGER-${seed}`);
    const { skus, kit } = warehouse;
    stored(await service.oms.post("/inventory/products", { data: skus.map((sku) => productOf({ sku })) }));
    stored(await service.oms.post("/inventory/synsets", { data: [kit] }));

    for (let count = 0; count < 120; count += 1) await pick(random, steps)(warehouse, random);

    expect(ofStatus(warehouse, "Shipped")).not.toEqual([]);
    expect(warehouse.expected.map(({ kind }) => kind)).toContain("return");
    for (const sku of skus) {
      const shown = await stockShown(sku);
      const movements = await movementsOf(sku);
      expect(shown).toEqual(warehouse.stockOf(sku));
      expect(sum(movements, "on_hand")).toBe(shown.on_hand);
      expect(sum(movements, "reserved")).toBe(shown.reserved);
      await expectBalanced(service, sku);
    }
  },
);
