import type { Charge } from "./capacity/charges.ts";
import type { FaultEffect } from "./faults.ts";
import type { Service } from "./operations.ts";

/** One request of a function to an AWS service. */
export interface Call {
  /** Increases with every call; `calls(since)` takes it. */
  readonly sequence: number;
  /** The function's short name, such as `letters/send`. */
  readonly function: string;
  /** The invocation that the call belongs to. */
  readonly requestId: string | undefined;
  readonly service: Service;
  readonly operation: string;
  readonly tables: readonly string[];
  readonly queue: string | undefined;
  /** Milliseconds of a clock that all calls share. */
  readonly start: number;
  readonly end: number;
  /** 0 if the caller saw no answer. */
  readonly status: number;
  /** The error code, if the answer was an error. */
  readonly error: string | undefined;
  readonly fault: FaultEffect | undefined;
  /** What the call cost, if capacity is recorded. A call that a fault hits costs nothing. */
  readonly charges: readonly Charge[];
}

/** Capacity units, which AWS prices by the million. A write unit costs five times as much as a read unit. */
export interface Units {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The cost of a span of calls. */
export interface CallSummary extends Units {
  readonly count: number;
  /**
   * The length of the longest chain of calls, each of which began after the previous one had ended. Their
   * latencies add up.
   */
  readonly criticalPath: number;
}

/** As many calls as an hour of load makes. Older ones are dropped, so that memory stays bounded. */
const kept = 100_000;

/** The calls of all functions, in the order in which they ended. */
export class CallLog {
  #calls: Call[] = [];
  #next = 1;

  /** The current position in the log: `since` with this mark returns only the calls that end later. */
  mark(): number {
    return this.#next;
  }

  /** Drops all calls; marks stay valid. */
  clear(): void {
    this.#calls = [];
  }

  add(call: Omit<Call, "sequence">): void {
    this.#calls.push({ sequence: this.#next++, ...call });
    if (this.#calls.length > 2 * kept) this.#calls = this.#calls.slice(-kept);
  }

  since(mark = 0): readonly Call[] {
    return this.#calls.filter(({ sequence }) => sequence >= mark);
  }
}

export const summarize = (calls: readonly Call[]): CallSummary => {
  const charges = calls.flatMap((call) => call.charges);
  return {
    count: calls.length,
    criticalPath: criticalPath(calls),
    ...unitsOf(charges),
  };
};

const unitsOf = (charges: readonly Charge[]): Units => {
  const sum = (kind: Charge["kind"]): number =>
    charges.reduce((total, charge) => total + (charge.kind === kind ? charge.units : 0), 0);
  return { readUnits: sum("read"), writeUnits: sum("write") };
};

/** Repeatedly taking the call that ends first gives the longest chain of calls that do not overlap. */
export const criticalPath = (calls: readonly Pick<Call, "start" | "end">[]): number => {
  let length = 0;
  let free = Number.NEGATIVE_INFINITY;
  for (const { start, end } of calls.toSorted((a, b) => a.end - b.end)) {
    if (start < free) continue;
    length += 1;
    free = end;
  }
  return length;
};
