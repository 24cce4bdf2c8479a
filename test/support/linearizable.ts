/**
 * Decides whether a history of concurrent calls is linearizable: whether each call can have taken effect at
 * one moment between its beginning and its answer, so that all answers are those of a sequential object.
 * The search is Wing and Gong's, with Lowe's memoization of configurations it has been in.
 *
 * Check each record on its own: linearizability is a local property, and short histories are fast to search.
 */

/** A call as its client saw it. Times come from one clock that never goes back, such as a counter. */
export interface Call<Input, Output> {
  readonly input: Input;
  /** What was answered. Undefined if that is unknown: the call takes effect before `ended`, or never. */
  readonly output: Output | undefined;
  readonly began: number;
  /**
   * When the answer came. If the outcome is unknown: when the call could no longer take effect, such as the
   * end of its process; `Infinity` if it still can.
   */
  readonly ended: number;
}

/** What the calls are expected to behave like. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * The state after a call; undefined if no call can be answered so in this state. If the outcome is
   * unknown, the state that the call leaves if it takes effect.
   */
  readonly next: (state: State, input: Input, output: Output | undefined) => State | undefined;
  /** A text that is the same for equal states only. */
  readonly keyOf: (state: State) => string;
}

/** Why a history is not linearizable. */
interface Contradiction<State, Input, Output> {
  /** The first call whose answer no order explains. What ended before it can be explained. */
  readonly call: Call<Input, Output>;
  /** States that the object can have been in before that answer. */
  readonly states: readonly State[];
  /** Calls that ran at the same time, and those of unknown outcome from before. */
  readonly concurrent: readonly Call<Input, Output>[];
}

/** Calls that have been ordered, and the state that they leave. */
interface Configuration<State> {
  /** A bit for each call, in order of their beginnings. */
  readonly ordered: bigint;
  readonly state: State;
}

/** Configurations after which a search gives up. A history of one record needs hundreds. */
const defaultLimit = 1_000_000;

/**
 * The first answer that contradicts linearizability; undefined if the history is linearizable.
 * @throws Error if that is not decided within `limit` configurations
 */
export function contradictionOf<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Call<Input, Output>[],
  limit = defaultLimit,
): Contradiction<State, Input, Output> | undefined {
  const calls = history.toSorted((left, right) => left.began - right.began);
  const isLinearizable = (some: readonly Call<Input, Output>[]) =>
    statesAfter(model, some, { limit, wanted: 1 }).length > 0;
  if (isLinearizable(calls)) return undefined;
  // A prefix of a linearizable history is linearizable, so the first contradiction is found by bisection.
  const answered = calls.filter(isAnswered).toSorted((left, right) => left.ended - right.ended);
  let [below, above] = [0, answered.length - 1];
  while (below < above) {
    const middle = (below + above) >> 1;
    if (isLinearizable(until(calls, answered[middle]))) below = middle + 1;
    else above = middle;
  }
  const [call, previous] = [answered[above], answered[above - 1]];
  if (call === undefined) throw new Error("a history without answers is linearizable");
  return {
    call,
    states: previous
      ? statesAfter(model, until(calls, previous), { limit, wanted: shownStates })
      : [model.initial],
    concurrent: calls.filter((one) => one !== call && one.began <= call.ended && one.ended >= call.began),
  };
}

const isAnswered = ({ output }: { readonly output: unknown }): boolean => output !== undefined;

/** The history as it was when `last` was answered: the outcome of what was answered later is unknown. */
const until = <Input, Output>(
  calls: readonly Call<Input, Output>[],
  last: Call<Input, Output> | undefined,
): readonly Call<Input, Output>[] =>
  calls
    .filter(({ began }) => last !== undefined && began <= last.ended)
    .map((call) => (last !== undefined && call.ended > last.ended ? { ...call, output: undefined } : call));

/** States that a contradiction shows at most. */
const shownStates = 4;

/**
 * States that all answers can have left, at most `wanted` of them; none if the history is not linearizable.
 * Tries all orders of the calls, which are sorted by their beginnings.
 */
function statesAfter<State, Input, Output>(
  model: Model<State, Input, Output>,
  calls: readonly Call<Input, Output>[],
  { limit, wanted }: { readonly limit: number; readonly wanted: number },
): readonly State[] {
  const answered = calls.reduce((bits, call, at) => (isAnswered(call) ? bits | bitOf(at) : bits), 0n);
  const states = new Map<string, State>();
  const seen = new Set<string>();
  const open: Configuration<State>[] = [{ ordered: 0n, state: model.initial }];
  for (let configuration = open.pop(); configuration; configuration = open.pop()) {
    const { ordered, state } = configuration;
    const key = `${ordered.toString(36)} ${model.keyOf(state)}`;
    if (seen.has(key)) continue;
    if (seen.size >= limit) throw new Error(`not decided after ${limit} configurations`);
    seen.add(key);
    if ((ordered & answered) === answered) states.set(model.keyOf(state), state);
    if (states.size >= wanted) break;
    open.push(...following(model, calls, configuration));
  }
  return [...states.values()];
}

const bitOf = (position: number): bigint => 1n << BigInt(position);

/** The configurations that one more call leads to: a call that began before any other must have ended. */
function following<State, Input, Output>(
  { next, keyOf }: Model<State, Input, Output>,
  calls: readonly Call<Input, Output>[],
  { ordered, state }: Configuration<State>,
): readonly Configuration<State>[] {
  const latest = calls[ordered.toString(2).length - 1];
  const reached = latest !== undefined && ordered > 0n ? latest.began : Number.NEGATIVE_INFINITY;
  const found: Configuration<State>[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  let firstExpiry = Number.POSITIVE_INFINITY;
  for (const [position, call] of calls.entries()) {
    const bit = bitOf(position);
    if (ordered & bit) continue;
    if (call.began > firstEnd) break;
    if (isAnswered(call)) firstEnd = Math.min(firstEnd, call.ended);
    else if (call.ended < reached) continue;
    else firstExpiry = Math.min(firstExpiry, call.ended);
    const after = next(state, call.input, call.output);
    if (after === undefined) continue;
    const following = { ordered: ordered | bit, state: after };
    if (keyOf(after) !== keyOf(state)) found.push(following);
    else if (isAnswered(call)) {
      // A call that changes nothing need not be tried later, unless it ends the time of an unknown one.
      if (call.began <= firstExpiry) return [following];
      found.push(following);
    }
  }
  return found.reverse();
}
