/** What records behave like one after another. Histories of concurrent calls are compared with these. */
import type { Model } from "../support/linearizable.ts";

/** The status of a call that was refused. */
export interface Refused {
  readonly refused: number;
}

const outdated = 412;

/** Whether a refusal is right: the call expected another version, or the record's state does not allow it. */
const isRefusedRightly = ({ refused }: Refused, isOutdated: boolean, isForbidden: boolean): boolean =>
  refused === outdated ? isOutdated : isForbidden;

const isOutdated = ({ version }: { readonly version: number }, expected: number | undefined): boolean =>
  expected !== undefined && expected !== version;

/** Whether an answer shows a state: what it does not show is not compared. */
const shows = (shown: object, state: object): boolean => {
  const fields: Readonly<Record<string, unknown>> = { ...state };
  return Object.entries(shown).every(([name, value]) => fields[name] === value);
};

/** An order of one line. Null before it is created. */
export interface OrderState {
  readonly version: number;
  readonly status: string;
  readonly reference: string | null;
  readonly sub_status: string | null;
  readonly units: number;
  /** Units that were taken out of bins. No read shows them. */
  readonly picked: number;
}

export type OrderInput =
  | { readonly call: "read" | "claim" | "ship" | "revert" }
  | { readonly call: "create"; readonly reference: string; readonly units: number }
  | {
      readonly call: "replace";
      readonly reference: string;
      readonly units: number;
      readonly expected: number | undefined;
    }
  | { readonly call: "annotate"; readonly sub_status: string; readonly expected: number | undefined }
  | { readonly call: "cancel"; readonly expected: number | undefined }
  | { readonly call: "pick"; readonly units: number };

export type OrderOutput = Partial<OrderState> | Refused;

/** What a call changes; undefined if the order's status does not allow it. */
function orderChange(order: OrderState, input: OrderInput): Partial<OrderState> | undefined {
  const { status, units, picked } = order;
  const isPending = status === "Pending";
  const isProcessing = status === "Processing";
  switch (input.call) {
    case "create":
      return undefined;
    case "read":
      return {};
    case "replace":
      return isPending ? { reference: input.reference, units: input.units } : undefined;
    case "annotate":
      return status === "Cancelled" ? undefined : { sub_status: input.sub_status };
    case "cancel":
      return isPending || status === "Cancelled" ? { status: "Cancelled" } : undefined;
    case "claim":
      return isPending || isProcessing ? { status: "Processing" } : undefined;
    case "pick":
      return isProcessing && picked + input.units <= units ? { picked: picked + input.units } : undefined;
    case "ship":
      return isProcessing && picked === units ? { status: "Shipped" } : undefined;
    case "revert":
      return isProcessing ? { status: "Pending", picked: 0 } : undefined;
  }
}

const created = { version: 1, status: "Pending", sub_status: null, picked: 0 };

/** Calls that may be refused for reasons outside of the order: goods in bins, other jobs. */
const mayAlwaysFail: ReadonlySet<OrderInput["call"]> = new Set(["pick", "revert"]);

/** An order, from `initial` on. */
export const orderModel = (
  initial: OrderState | null,
): Model<OrderState | null, OrderInput, OrderOutput> => ({
  initial,
  keyOf: (state) => JSON.stringify(state),
  next: (state, input, output) => {
    if (state === null) {
      if (input.call !== "create") return output === undefined ? null : undefined;
      const { reference, units } = input;
      return accepted({ ...created, reference, units }, output);
    }
    const change = orderChange(state, input);
    const isStale = isOutdated(state, "expected" in input ? input.expected : undefined);
    if (output !== undefined && "refused" in output) {
      const isForbidden = change === undefined || mayAlwaysFail.has(input.call);
      return isRefusedRightly(output, isStale, isForbidden) ? state : undefined;
    }
    if (change === undefined || isStale) return output === undefined ? state : undefined;
    const isSame = shows(change, state);
    return accepted(isSame ? state : { ...state, ...change, version: state.version + 1 }, output);
  },
});

const accepted = <S extends object>(after: S, output: object | undefined): S | undefined =>
  output === undefined || shows(output, after) ? after : undefined;

export interface ProductState {
  readonly version: number;
  readonly description: string;
}

export type ProductInput =
  | { readonly call: "read" }
  | { readonly call: "patch"; readonly description: string; readonly expected: number | undefined };

export type ProductOutput = ProductState | Refused;

/** A product whose history begins with its creation. */
export const productModel = (initial: ProductState): Model<ProductState, ProductInput, ProductOutput> => ({
  initial,
  keyOf: (state) => JSON.stringify(state),
  next: (state, input, output) => {
    if (input.call === "read") return accepted(state, output);
    const isStale = isOutdated(state, input.expected);
    if (output !== undefined && "refused" in output)
      return isRefusedRightly(output, isStale, false) ? state : undefined;
    if (isStale) return output === undefined ? state : undefined;
    return accepted({ version: state.version + 1, description: input.description }, output);
  },
});

/** A recount of a bin, by a difference or by the units that lie there. */
export interface BinInput {
  readonly qty?: number;
  readonly qty_in_bin?: number;
}

export type BinOutput = { readonly units: number } | Refused;

/** What a bin will hold once all accepted corrections are applied. Nothing else changes these bins. */
export const binModel: Model<number, BinInput, BinOutput> = {
  initial: 0,
  keyOf: String,
  next: (units, { qty = 0, qty_in_bin }, output) => {
    const after = qty_in_bin ?? units + qty;
    if (output === undefined) return after < 0 ? units : after;
    if ("refused" in output) return after < 0 ? units : undefined;
    return after === output.units ? after : undefined;
  },
};
