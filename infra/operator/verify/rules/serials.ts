/**
 * Compares serials with the orders that name them, and with the marks of their products. A picked order names
 * the serials of its units, and each of these serials names the order. If they disagree, the order is right.
 * A Shipped order keeps its serials, except those that came back with a return.
 */
import * as z from "zod/mini";
import type { Order } from "../../../../shared/orders/order.ts";
import { orderList, orderLookup, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { serial } from "../../../../shared/serials/serial.ts";
import {
  hasSerials,
  markedProduct,
  markSerialized,
  serialItems,
  serialLookup,
  serialMarkLookup,
  serialMarks,
  setPickedFor,
} from "../../../../shared/serials/serial-repository.ts";
import { getItem, getItems, parsed, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute, unchanged } from "../../../../shared/store/dynamodb/writes.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import { missing, restoreOrCancel, type Verification } from "../finding.ts";
import {
  type Fault,
  type Inspection,
  manual,
  nothingWrong,
  repairable,
  type Suspect,
} from "../inspection.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";

interface Named {
  readonly product_id: number;
  readonly serial: string;
}

/** A serial that is picked for an order, according to one of them. */
interface PickedSerial extends Named {
  readonly order_id: number;
}

const picksIn = ({ order_id, picks }: Order): readonly PickedSerial[] =>
  picks.flatMap(({ product_id, serials }) => serials.map((text) => ({ product_id, serial: text, order_id })));

/** Whether serials of the order may be picked again: they may have come back with a return. */
const mayBeFree = ({ items }: Order): boolean => items.some(({ returned }) => returned > 0);

const textOf = ({ product_id, serial: text, order_id }: PickedSerial): string =>
  JSON.stringify([product_id, text, order_id]);

/** The orders table is read before serials, so `free` is complete by then. */
export function serialsCheck(
  verification: Verification,
  { hasProduct, hasOrder }: Scope,
): FirstPass<Suspect> {
  const free = new Set<string>();
  const compared = comparison<PickedSerial>({
    lists: [orderList],
    ofListItem: ({ record: { order } = {} }) =>
      (order === undefined ? [] : picksIn(order)).map((subject) => {
        const sum = textOf(subject);
        const isFree = order !== undefined && mayBeFree(order);
        if (isFree) free.add(sum);
        return { sum, by: isFree ? 0 : 1, subject };
      }),
    ofItems: [
      {
        ...serialItems,
        isVerified: (item) => hasProduct(idInPartition(item)) || hasOrder(Number(item["picked_for"])),
        facts: (item: RawItem) => {
          const { product_id, serial: text, picked_for: order_id } = z.parse(serial, item);
          if (order_id === undefined) return [];
          const subject = { product_id, serial: text, order_id };
          const sum = textOf(subject);
          return [{ sum, by: free.has(sum) ? 0 : -1, subject }];
        },
      },
    ],
  });
  const suspectsOf = (named: readonly PickedSerial[]) =>
    [...Map.groupBy(named, titleOf)].map(([title, picks]) => ({
      title,
      inspect: () => inspectSerial(verification, picks),
    }));
  const end = () => {
    const second = compared.end();
    return { ...second, suspects: () => suspectsOf(second.suspects()) };
  };
  return { ...compared, end };
}

const titleOf = ({ product_id, serial: text }: Named): string => `serial ${text} of product ${product_id}`;

/**
 * Inspects the serial of picks that look wrong. @throws if one of the orders is unreadable: it may name the
 * serial
 */
async function inspectSerial({ db }: Verification, picks: readonly PickedSerial[]): Promise<Inspection> {
  const [suspect] = picks;
  if (suspect === undefined) return nothingWrong;
  const { product_id, serial: text } = suspect;
  const item = await getItem(db, serialLookup(product_id, text));
  const own = parsed(serial, item);
  const named = [...picks.map(({ order_id }) => order_id), own?.picked_for].filter((id) => id !== undefined);
  const ids = [...new Set(named)].toSorted((left, right) => left - right);
  const find = await getItems(db, ids.map(orderLookup));
  const items = ids.map((id) => find(orderLookup(id))).filter((one) => one !== undefined);
  if ([item, ...items].some((one) => one?.[sagaAttribute] !== undefined)) return "busy";
  const read = items.map((one) => orders.parse(one));
  const naming = read.filter((order) =>
    picksIn(order).some((one) => one.product_id === product_id && one.serial === text),
  );
  const isOrderGone =
    own?.picked_for !== undefined && read.every(({ order_id }) => order_id !== own.picked_for);
  const versions = naming.map(({ order_id, version }) => [order_id, version]);
  const state = [own?.picked_for ?? null, own === undefined, isOrderGone, versions];
  if (!isOrderGone) return { state, faults: faultsOf(suspect, own, naming) };
  const what = `the order ${own.picked_for}, which it is picked for`;
  const difference = missing(titleOf(suspect), what, "there, since orders are kept");
  return { state, faults: [manual(difference, restoreOrCancel)] };
}

/** The faults of a serial, by the orders that name it. */
function faultsOf(
  suspect: Named,
  own: { readonly picked_for?: number | undefined } | undefined,
  naming: readonly Order[],
): readonly Fault[] {
  const record = titleOf(suspect);
  if (own === undefined)
    return naming.length === 0
      ? []
      : [manual(missing(record, "the serial", namesOf(naming)), restoreOrCancel)];
  const holding = naming.filter((order) => !mayBeFree(order));
  const [first, ...others] = holding;
  if (others.length > 0) {
    const what = "the orders that it is picked for";
    return [manual({ record, what, actual: namesOf(holding), expected: "one" }, "cancel one of the orders")];
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
  return [repairable(difference, ...conditions, setPickedFor(suspect, own.picked_for, first?.order_id))];
}

const namesOf = (naming: readonly Order[]): string =>
  naming.map(({ order_id }) => `order ${order_id}`).join(", ");

const mark = (id: number) => ({ kind: "mark", id });

/** Products with serials have a mark: a pick requires serials only for marked products. */
export function serialMarksCheck(verification: Verification, { hasProduct }: Scope): FirstPass<Suspect> {
  const { db } = verification;
  const isVerified = (item: RawItem): boolean => hasProduct(idInPartition(item));
  const suspectOf = (productId: number) => {
    const title = `product ${productId}`;
    const inspect = async (): Promise<Inspection> => {
      const [stored, isSerialized] = await Promise.all([
        getItem(db, serialMarkLookup(productId)),
        hasSerials(db, productId),
      ]);
      if (stored !== undefined || !isSerialized) return nothingWrong;
      const difference = missing(title, "the mark of a product with serials");
      return { state: "unmarked", faults: [repairable(difference, markSerialized(productId))] };
    };
    return { title, inspect };
  };
  return comparison({
    ofItems: [
      {
        ...serialItems,
        isVerified,
        facts: (item: RawItem) => {
          const { product_id } = z.parse(serial, item);
          return [{ needs: mark(product_id), subject: suspectOf(product_id) }];
        },
      },
      { ...serialMarks, facts: (item: RawItem) => [{ has: mark(markedProduct(item)) }] },
    ],
  });
}
