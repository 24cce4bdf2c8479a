import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Call, contradictionOf, type Model } from "../../support/linearizable.ts";

/** A register with versions, as the service's records are: a write may state the version that it replaces. */
interface Register {
  readonly value: number;
  readonly version: number;
}
type Input = { readonly read: true } | { readonly write: number; readonly expected?: number };
type Output = Register | "refused";

const register: Model<Register, Input, Output> = {
  initial: { value: 0, version: 1 },
  keyOf: ({ value, version }) => `${value} ${version}`,
  next: (state, input, output) => {
    const after = applied(state, input);
    if (output === undefined) return after ?? state;
    if (output === "refused") return after === undefined ? state : undefined;
    return after?.value === output.value && after.version === output.version ? after : undefined;
  },
};

/** The register after a call; undefined if the call is refused. */
function applied(state: Register, input: Input): Register | undefined {
  if ("read" in input) return state;
  if (input.expected !== undefined && input.expected !== state.version) return undefined;
  return { value: input.write, version: state.version + 1 };
}

const read: Input = { read: true };
const write = (value: number, expected?: number): Input => ({
  write: value,
  ...(expected !== undefined && { expected }),
});
const shown = (value: number, version: number): Output => ({ value, version });
const call = (began: number, ended: number, input: Input, output?: Output): Call<Input, Output> => ({
  began,
  ended,
  input,
  output,
});

/** A call of unknown outcome that may still take effect. */
const open = (began: number, input: Input) => call(began, Number.POSITIVE_INFINITY, input);

const isLinearizable = (...calls: readonly Call<Input, Output>[]) =>
  contradictionOf(register, calls) === undefined;

describe("the first contradiction is found:", () => {
  test.each([
    ["a stale read", [call(1, 2, write(5), shown(5, 2)), call(3, 4, read, shown(0, 1))], 3],
    [
      "a read that goes back behind another read",
      [call(1, 9, write(5), shown(5, 2)), call(2, 3, read, shown(5, 2)), call(4, 5, read, shown(0, 1))],
      4,
    ],
    [
      "a write of unknown outcome that took effect too late",
      [
        call(1, 4, write(5)),
        call(2, 5, read, shown(0, 1)),
        call(6, 7, read, shown(0, 1)),
        call(8, 9, read, shown(5, 2)),
      ],
      8,
    ],
  ])("%s", (_, calls, began) => {
    expect(contradictionOf(register, calls)?.call.began).toBe(began);
  });

  test("with the states that were possible and the calls beside it", () => {
    const lost = open(1, write(7));
    const beside = call(5, 9, write(8), shown(8, 3));
    const stale = call(6, 7, read, shown(0, 1));

    const found = contradictionOf(register, [call(3, 4, write(5), shown(5, 2)), lost, beside, stale]);

    expect(found?.call).toBe(stale);
    expect(found?.states).toContainEqual({ value: 5, version: 2 });
    expect(found?.states).not.toContainEqual({ value: 0, version: 1 });
    expect(found?.concurrent).toEqual([lost, beside]);
  });
});

/** One atomic action of a client in a generated history: where its call begins, takes effect and ends. */
interface Step {
  readonly input: Input;
  readonly before: number;
  readonly after: number;
  readonly isLost: boolean;
}

const step = fc.record({
  input: fc.oneof(
    fc.constant(read),
    fc.record({ write: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ write: fc.integer({ min: 1, max: 9 }), expected: fc.integer({ min: 1, max: 6 }) }),
  ),
  before: fc.integer({ min: 0, max: 40 }),
  after: fc.integer({ min: 0, max: 40 }),
  isLost: fc.boolean(),
});

/** The history of a register that applies each step at its own moment. Some answers are lost. */
function historyOf(steps: readonly Step[]): readonly Call<Input, Output>[] {
  let state = register.initial;
  return steps.map(({ input, before, after, isLost }, position) => {
    const effect = 10 * (position + 1);
    const next = applied(state, input);
    state = next ?? state;
    return call(effect - before, effect + after, input, isLost ? undefined : (next ?? "refused"));
  });
}

describe("generated histories", () => {
  test("of a register that works are linearizable", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => isLinearizable(...historyOf(steps))),
      { numRuns: 500 },
    );
  });

  test("are judged as by trying all orders", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 5 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })), { maxLength: 2 }),
        (steps, changes) => {
          const changed = historyOf(steps).map((one, position) => {
            const value = changes.find(([at]) => at === position)?.[1];
            const { output } = one;
            return value === undefined || typeof output !== "object"
              ? one
              : { ...one, output: { ...output, value } };
          });

          expect(isLinearizable(...changed)).toBe(hasOrder(register.initial, changed));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("of hundreds of calls, with outcomes unknown, are decided within thousands of configurations", () => {
    const steps = Array.from({ length: 400 }, (_, position) => ({
      input: position % 3 === 0 ? read : write(position),
      before: 35,
      after: 35,
      isLost: position % 20 === 1,
    }));

    expect(contradictionOf(register, historyOf(steps), 20_000)).toBeUndefined();
  });
});

/** Whether some order explains the history: by the definition, without pruning. */
function hasOrder(state: Register, left: readonly Call<Input, Output>[], reached = 0): boolean {
  if (left.every(({ output }) => output === undefined)) return true;
  return left.some((one) => {
    const others = left.filter((other) => other !== one);
    const mayBeFirst =
      one.ended >= reached && others.every(({ output, ended }) => output === undefined || ended >= one.began);
    const after = register.next(state, one.input, one.output);
    return mayBeFirst && after !== undefined && hasOrder(after, others, Math.max(reached, one.began));
  });
}
