/**
 * Faults that are planted in the product: each leaves out a condition, a write or a step, or changes an
 * order. `npm run simulate -- --planted` shows that schedules find them.
 */
import { ofEvents } from "./of-events.ts";
import { ofLists } from "./of-lists.ts";
import { ofOrders } from "./of-orders.ts";
import { ofStock } from "./of-stock.ts";
import { ofStore } from "./of-store.ts";

/** A text of a file of the product that is replaced. It must occur exactly once. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** What each fault replaces, by the fault's name. */
export type Faults = Readonly<Record<string, Edit | readonly Edit[]>>;

const faults: Faults = { ...ofStore, ...ofLists, ...ofOrders, ...ofStock, ...ofEvents };

export const plantedFaults: ReadonlyMap<string, readonly Edit[]> = new Map(
  Object.entries(faults).map(([name, edits]) => [name, [edits].flat()]),
);
