import type { Operation } from "./operations.ts";

/**
 * What goes wrong.
 *
 * - `throttle`, `conflict`, `error`: the request is answered so, and not carried out. A conflict names the
 *   first item of the transaction.
 * - `drop`: the connection breaks, and nothing is carried out.
 * - `lose-response`: the request is carried out, then the connection breaks.
 * - `kill-before`, `kill-during`, `kill-after`: the instance of the function dies before the request is
 *   carried out, while the request is under way, or after the request was carried out.
 * - `duplicate`: the request is carried out twice; for sending a message.
 */
export type FaultEffect =
  | "throttle"
  | "conflict"
  | "error"
  | "drop"
  | "lose-response"
  | "kill-before"
  | "kill-during"
  | "kill-after"
  | "duplicate";

/** The requests that a fault hits: those that match all given fields. */
export interface FaultRule {
  readonly effect: FaultEffect;
  /** Any name of the function, such as `letters/send`. */
  readonly function?: string;
  /** `TransactWriteItems`, `SendMessage` and so on. */
  readonly operation?: string;
  /** The table's name, or the environment variable that holds it. */
  readonly table?: string;
  /** How many requests the fault hits; 1 by default. */
  readonly times?: number;
  /** How many matching requests pass before the first hit; 0 by default. */
  readonly skip?: number;
}

/** A requested fault. */
export interface Fault {
  readonly rule: FaultRule;
  /** How often the fault was applied. */
  readonly hits: number;
  /** Resolves when the fault was applied as often as requested. */
  readonly exhausted: Promise<void>;
  remove(): void;
}

/** A rule whose names have been looked up. */
interface ResolvedRule extends FaultRule {
  readonly functionName: string | undefined;
  readonly tableName: string | undefined;
}

interface Pending {
  readonly rule: ResolvedRule;
  skip: number;
  left: number;
  hits: number;
  settle(): void;
}

export class Faults {
  readonly #pending = new Set<Pending>();

  add(rule: ResolvedRule): Fault {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { times = 1, skip = 0 } = rule;
    const pending: Pending = { rule, skip, left: times, hits: 0, settle: () => resolve() };
    this.#pending.add(pending);
    return {
      rule,
      get hits() {
        return pending.hits;
      },
      exhausted: promise,
      remove: () => void this.#pending.delete(pending),
    };
  }

  clear(): void {
    this.#pending.clear();
  }

  /** The effect of the oldest rule that matches this request. The hit is counted. */
  strike(functionName: string, operation: Operation): FaultEffect | undefined {
    for (const pending of this.#pending) {
      if (!concerns(pending.rule, functionName, operation)) continue;
      if (pending.skip > 0) {
        pending.skip -= 1;
        continue;
      }
      pending.hits += 1;
      pending.left -= 1;
      if (pending.left <= 0) {
        this.#pending.delete(pending);
        pending.settle();
      }
      return pending.rule.effect;
    }
    return undefined;
  }
}

const concerns = (rule: ResolvedRule, functionName: string, operation: Operation): boolean =>
  (rule.functionName === undefined || rule.functionName === functionName) &&
  (rule.operation === undefined || rule.operation === operation.name) &&
  (rule.tableName === undefined || operation.tables.includes(rule.tableName));
