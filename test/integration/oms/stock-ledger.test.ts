/**
 * Whatever happens to orders, bins, replenishments and returns, in whatever order: the movements of a product add up
 * to its stock, and what is on hand lies in the bins or is picked. Held against a plain model of the warehouse.
 */

import { beforeAll, expect, test } from "vitest";
import { putAway } from "../../../shared/operations/put-away.ts";
import { type Answer, listAt, numberAt } from "../../support/client.ts";
import { contextOf } from "../../support/flows.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { operations, pick, randomFrom, whole } from "../../support/random.ts";
import { orderOf, recountOf } from "../../support/records.ts";
import type { Service } from "../../support/service.ts";
import { sharedService } from "../../support/shared-service.ts";
import {
  asItIs,
  claimed,
  newProducts,
  pendingOrder,
  picked,
  pickFrom,
  replenishment,
  returned,
  shipped,
} from "../../support/world.ts";

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

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

/** Something that may happen; false where there was nothing for it to happen to. */
type Step = (warehouse: Warehouse, random: () => number) => Promise<boolean>;

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
  const id = await pendingOrder(service, lines);
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
  stored(await service.oms.put("/orders", { data: [{ ...orderOf(lines), order_id: before.id }] }));
  warehouse.orders.splice(warehouse.orders.indexOf(before), 1, {
    ...before,
    lines: warehouse.exploded(lines),
  });
  return true;
};

const cancel: Step = async (warehouse) => {
  const pending = ofStatus(warehouse, "Pending").at(-1);
  if (pending === undefined) return false;
  stored(await service.oms.post("/orders/cancel", { order_id: pending.id }));
  pending.status = "Cancelled";
  return true;
};

const counts = (sku: string, bin: Parameters<typeof recountOf>[1][number]) =>
  recountOf(sku, [bin], { account_id: service.accountId });

const recount: Step = async (warehouse, random) => {
  const [sku, bin] = [pick(random, warehouse.skus), pick(random, bins)];
  const relative = random() < 0.5;
  const change = whole(random, relative ? -warehouse.inBin(sku, bin) : 0, 12);
  const sent = relative ? { qty: change } : { qty_in_bin: change };
  stored(await service.wms.post("/recount", counts(sku, { location: "A1", bin, ...sent })));
  await service.settled();
  warehouse.add(sku, bin, relative ? change : change - warehouse.inBin(sku, bin));
  return true;
};

const claimOldest: Step = async (warehouse) => {
  const [pending] = ofStatus(warehouse, "Pending");
  if (pending === undefined) return false;
  await claimed(service, pending.id);
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
    await picked(service, chosen.id, pickFrom(sku, quantity, `A1/${bin}`));
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
  stored(await service.wms.post("/shipments/revert/pending", { shipments_list: [chosen.id] }));
  await service.settled();
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
    await shipped(service, open.id);
    open.status = "Shipped";
  }
  return complete.length > 0;
};

const replenish: Step = async (warehouse, random) => {
  const line = { sku: pick(random, warehouse.skus), quantity: whole(random, 1, 15) };
  const { replenishment_id: id } = await replenishment(service, [line]);
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
  const { return_id: id } = await returned(service, gone.id, [{ sku, quantity }]);
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
  await putAway(contextOf(service), target, { sku: chosen.sku, quantity, location: "A1", bin }, asItIs);
  chosen.remaining -= quantity;
  warehouse.add(chosen.sku, bin, quantity);
  return true;
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

/** How many steps are tried; the fewer still meet every kind of them. */
const stepsTaken = operations(80, 400);

test.each([7, 1122])(
  "stock is what movements add up to, and what bins and picks hold (seed %i)",
  async (seed) => {
    const random = randomFrom(seed);
    const warehouse = new Warehouse(`LEDGER-${seed}`);
    const { skus, kit } = warehouse;
    await newProducts(
      service,
      skus.map((sku) => ({ sku })),
    );
    stored(await service.oms.post("/inventory/synsets", { data: [kit] }));

    const met = new Set<Step>();
    for (let count = 0; count < stepsTaken; count += 1) {
      const step = pick(random, steps);
      if (await step(warehouse, random)) met.add(step);
    }

    expect(met).toEqual(new Set(steps));
    for (const sku of skus) {
      const shown = await stockShown(sku);
      const movements = await movementsOf(sku);
      expect(shown).toEqual(warehouse.stockOf(sku));
      expect(sum(movements, "on_hand")).toBe(shown.on_hand);
      expect(sum(movements, "reserved")).toBe(shown.reserved);
      await expectBalanced(service, sku);
    }
  },
  280_000,
);
