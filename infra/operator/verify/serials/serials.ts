/**
 * Holds serials against the orders that name them. An order that is picked names the serials of its units, and each of them
 * says for which order it is picked. Orders count: a serial follows the order that names it. A Shipped order keeps its
 * serials, but for those that came back with a return.
 */

import * as z from "zod/mini";
import type { Order } from "../../../../shared/orders/order.ts";
import { orderLookup, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { entryKinds } from "../../../../shared/schema/lookups.ts";
import { serial } from "../../../../shared/serials/serial.ts";
import { holdSerial, serialItems, serialLookup } from "../../../../shared/serials/serial-repository.ts";
import { getItem, getItems, parsed } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute, unchanged } from "../../../../shared/store/dynamodb/writes.ts";
import { orderList } from "../../../../shared/store/lists/definitions.ts";
import { byHand, type Fault, mendable } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { noCenters } from "../lookups/lookup-items.ts";
import { recordTakings } from "../lookups/lookup-sums.ts";
import { readTables } from "../reading.ts";
import { type Seen, verifyTwice } from "../twice.ts";
import { mayBeFree, type SerialSums, serialsNamed } from "./serial-sums.ts";

/** A serial that looks wrong, and orders that may name it. */
interface SuspectSerial {
  readonly product_id: number;
  readonly serial: string;
  readonly orderIds: Set<number>;
}

const titleOf = ({ product_id, serial: text }: SuspectSerial): string =>
  `serial ${text} of product ${product_id}`;

/** Verifies which orders serials are picked for. Where the sums do not fit, orders and serials are read once more. */
export async function verifySerials(verification: Verification, sums: SerialSums): Promise<void> {
  if (sums.fits) return;
  const suspects = await whatSeemsWrong(verification, sums);
  await verifyTwice(verification, suspects, (suspect) => read(verification, suspect), titleOf);
}

const orderKinds = entryKinds.filter(({ list }) => list === orderList);

async function whatSeemsWrong(
  verification: Verification,
  sums: SerialSums,
): Promise<readonly SuspectSerial[]> {
  const found = new Map<string, SuspectSerial>();
  const note = (hold: ReturnType<typeof serialsNamed>[number]): void => {
    if (!sums.isUneven(hold)) return;
    const place = `${hold.product_id} ${hold.serial}`;
    const suspect = found.get(place) ?? { ...hold, orderIds: new Set() };
    found.set(place, suspect);
    suspect.orderIds.add(hold.order_id);
  };
  await readTables(verification, [
    ...recordTakings(verification, orderKinds, noCenters, (_kind, { order }) => {
      if (order !== undefined) serialsNamed(order).forEach(note);
    }),
    {
      ...serialItems,
      take: (item) => {
        const { success, data } = z.safeParse(serial, item);
        if (!success || data.picked_for === undefined) return;
        const hold = { ...data, order_id: data.picked_for };
        if (sums.isMeant(hold)) note(hold);
      },
    },
  ]);
  return [...found.values()];
}

/** Reads a serial, and the orders that may name it. @throws where one of them can't be read: it may name the serial */
async function read({ db }: Verification, suspect: SuspectSerial): Promise<Seen> {
  const { product_id, serial: text, orderIds } = suspect;
  const item = await getItem(db, serialLookup(product_id, text));
  const own = parsed(serial, item);
  if (own?.picked_for !== undefined) orderIds.add(own.picked_for);
  const ids = [...orderIds].toSorted((left, right) => left - right);
  const find = await getItems(db, ids.map(orderLookup));
  const items = ids.map((id) => find(orderLookup(id))).filter((one) => one !== undefined);
  if ([item, ...items].some((one) => one?.[sagaAttribute] !== undefined)) return "busy";
  const read = items.map((one) => orders.parse(one));
  const naming = read.filter((order) => serialsNamed(order).some((one) => isSame(one, suspect)));
  const isOrderGone =
    own?.picked_for !== undefined && read.every(({ order_id }) => order_id !== own.picked_for);
  const state = [
    own?.picked_for ?? null,
    own === undefined,
    isOrderGone,
    naming.map((one) => [one.order_id, one.version]),
  ];
  if (isOrderGone) {
    const difference = {
      record: titleOf(suspect),
      what: `the order ${own.picked_for}, which it is picked for`,
      actual: "not there",
      expected: "there, since orders are kept",
    };
    return { state, faults: [byHand(difference)] };
  }
  return { state, faults: faultsOf(suspect, own, naming) };
}

const isSame = (
  left: Pick<SuspectSerial, "product_id" | "serial">,
  right: Pick<SuspectSerial, "product_id" | "serial">,
): boolean => left.product_id === right.product_id && left.serial === right.serial;

/** What is wrong with a serial, by the orders that name it. */
function faultsOf(
  suspect: SuspectSerial,
  own: { readonly picked_for?: number | undefined } | undefined,
  naming: readonly Order[],
): readonly Fault[] {
  const sure = naming.filter((order) => !mayBeFree(order));
  const [first, ...others] = sure;
  const record = titleOf(suspect);
  if (own === undefined)
    return naming.length === 0
      ? []
      : [byHand({ record, what: "it", actual: "not there", expected: namesOf(naming) })];
  if (others.length > 0) {
    const what = "the orders that it is picked for";
    return [byHand({ record, what, actual: namesOf(sure), expected: "one" })];
  }
  const isRight =
    first === undefined
      ? own.picked_for === undefined || naming.some(({ order_id }) => order_id === own.picked_for)
      : own.picked_for === first.order_id;
  if (isRight) return [];
  const difference = {
    record,
    what: "the order that it is picked for",
    actual: own.picked_for ?? "none",
    expected: first?.order_id ?? "none",
  };
  const conditions =
    first === undefined ? [] : [unchanged(orderLookup(first.order_id), { version: first.version })];
  const write = holdSerial(suspect, own.picked_for, first?.order_id);
  return [mendable(difference, ...conditions, write)];
}

const namesOf = (naming: readonly Order[]): string =>
  naming.map(({ order_id }) => `order ${order_id}`).join(", ");
