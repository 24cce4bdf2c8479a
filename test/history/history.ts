/** What clients did with each record and were answered. */
import { type Call, contradictionOf, type Model } from "../support/linearizable.ts";
import type { Exchange } from "./calls.ts";
import type {
  BinInput,
  BinOutput,
  OrderInput,
  OrderOutput,
  OrderState,
  ProductInput,
  ProductOutput,
  ProductState,
} from "./models.ts";

/** When a call began and ended. The end may become known later. */
type Interval = Pick<Exchange, "began" | "ended">;

interface Entry<Input, Output> {
  readonly input: Input;
  readonly output: Output | undefined;
  readonly interval: Interval;
}

/** The calls of one kind of record, by the record. */
class Histories<Input, Output> {
  readonly #entries = new Map<string | number, Entry<Input, Output>[]>();

  /** Notes a call and what its answer shows; undefined if the outcome is unknown. */
  note(record: string | number, interval: Interval, input: Input, output: Output | undefined): void {
    const entries = this.#entries.get(record) ?? [];
    this.#entries.set(record, entries);
    entries.push({ input, output, interval });
  }

  get records(): readonly (string | number)[] {
    return [...this.#entries.keys()];
  }

  callsOf(record: string | number): readonly Call<Input, Output>[] {
    const entries = this.#entries.get(record) ?? [];
    return entries.map(({ input, output, interval: { began, ended } }) => ({ input, output, began, ended }));
  }

  /** A text for each record whose history is not linearizable. */
  contradictions<State>(
    title: string,
    model: (record: string | number) => Model<State, Input, Output>,
  ): readonly string[] {
    return this.records.flatMap((record) => {
      const found = contradictionOf(model(record), this.callsOf(record));
      if (found === undefined) return [];
      const { call, states, concurrent } = found;
      // An event may be read at any time, so it says nothing here.
      const limited = concurrent.filter(({ began }) => began > 0);
      const beside = limited.slice(0, maxShown).map((one) => `\n    beside ${JSON.stringify(one)}`);
      return [
        `${title} ${record} is not linearizable: ${JSON.stringify(call)}\n    possible before it: ${JSON.stringify(states)}${beside.join("")}`,
      ];
    });
  }
}

const maxShown = 8;

export interface Creation {
  readonly input: OrderInput;
  readonly exchange: Exchange;
}

/** Everything that clients know. */
export class History {
  readonly orders = new Histories<OrderInput, OrderOutput>();
  readonly products = new Histories<ProductInput, ProductOutput>();
  readonly bins = new Histories<BinInput, BinOutput>();
  /** Products as they were created, by SKU. */
  readonly created = new Map<string, ProductState & { readonly product_id: number }>();
  /** Orders that are worked on. */
  readonly open: number[] = [];
  /** How each order was created, by its number. */
  readonly creations = new Map<string, Creation>();
  /** Claims of which an attempt was interrupted: it may have claimed orders that were not answered. */
  readonly openClaims: Exchange[] = [];
  readonly jobs = new Set<number>();
  /** Events as a client read them while the feed grew, by their sequence. */
  readonly tail = new Map<number, string>();
  /** Orders that were there before, as the first read showed them. */
  readonly initial = new Map<number, OrderState>();
  ordersBegun = 0;
  ordersCreated = 0;
  #names = 0;

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${this.#names}`;
  }

  /** Takes an order from those that are worked on. */
  close(orderId: number): void {
    const position = this.open.indexOf(orderId);
    if (position >= 0) this.open.splice(position, 1);
  }
}
