/** Whether the history of each record is linearizable. */
import { type Call, contradictionOf, type Model } from "../../support/linearizable.ts";
import { type Fields, operationOf, type Shown } from "../workload/calls.ts";
import type { Recorded } from "../workload/history.ts";
import { type Finding, findings } from "./finding.ts";

/** What a call does to a record. */
interface Input {
  readonly kind: "create" | "write" | "read";
  /** The fields that it sets. */
  readonly fields: Fields;
  readonly expected: number | undefined;
  /** The fields by which it names the record. */
  readonly named?: Fields | undefined;
}

/** How a call shows a record, or that it was refused because the record has another version. */
type Output = Pick<Shown, "version" | "fields"> | "outdated";

/** A record as it is stored. Undefined: not created yet. `unknown`: as it was before the schedule. */
type State = Pick<Shown, "version" | "fields"> | "none" | "unknown";

/** Kinds that also change by what no client of the history does: the warehouse, jobs, put-away. */
const changeOtherwise = ["order", "replenishment"];

const isSame = (left: Fields, right: Fields): boolean =>
  Object.entries(left).every(([name, value]) => right[name] === value);

/** A record with versions. `isHidden` says that its version may rise without a call. */
const recordModel = (initial: State, isHidden: boolean): Model<State, Input, Output> => ({
  initial,
  next: (state, input, output) => {
    if (input.kind === "create") return created(state, input, output);
    if (state === "none") return undefined;
    if (state === "unknown") return output === "outdated" ? state : (output ?? state);
    return input.kind === "read" ? read(state, output, isHidden) : written(state, input, output, isHidden);
  },
  keyOf: (state) => JSON.stringify(state),
});

function created(state: State, { fields }: Input, output: Output | undefined): State | undefined {
  if (state !== "none" || output === "outdated") return undefined;
  if (output === undefined) return { version: 1, fields };
  return output.version === 1 && isSame(fields, output.fields) ? output : undefined;
}

type Stored = Exclude<State, string>;

function read(state: Stored, output: Output | undefined, isHidden: boolean): State | undefined {
  if (output === undefined || output === "outdated") return state;
  const isVersion = isHidden ? output.version >= state.version : output.version === state.version;
  return isVersion && isSame(state.fields, output.fields) ? output : undefined;
}

function written(
  state: Stored,
  { fields, expected, named = {} }: Input,
  output: Output | undefined,
  isHidden: boolean,
): State | undefined {
  if (!isSame(named, state.fields)) return output === undefined ? state : undefined;
  if (output === "outdated") return isHidden || state.version !== expected ? state : undefined;
  const after = { ...state.fields, ...fields };
  const next = state.version + (isSame(after, state.fields) ? 0 : 1);
  if (output === undefined) return { version: next, fields: after };
  const isVersion =
    output.version >= next && (isHidden || output.version <= state.version + 1 || output.version === next);
  const isExpected = expected === undefined || output.version <= expected + 1;
  return isVersion && isExpected && isSame(after, output.fields) ? output : undefined;
}

interface HistoryOf {
  readonly calls: Call<Input, Output>[];
  isCreated: boolean;
}

/** The calls about each record, as far as they are known. */
function historiesOf(recorded: readonly Recorded[]): ReadonlyMap<string, HistoryOf> {
  const histories = new Map<string, HistoryOf>();
  const add = (record: string, call: Call<Input, Output>): void => {
    const history = histories.get(record) ?? { calls: [], isCreated: false };
    histories.set(record, history);
    history.calls.push(call);
    history.isCreated ||= call.input.kind === "create";
  };
  for (const { operation, writes, began, ended, answer } of recorded) {
    const { shows } = operationOf(operation);
    if (shows === undefined) continue;
    const shown = answer?.status === 200 ? shows(answer.body) : [];
    for (const one of shown) {
      const written = writes.find(({ record }) => record === one.record);
      const isNew = writes.some(({ record }) => record === undefined);
      const fields = isNew ? (writes[shown.indexOf(one)]?.fields ?? {}) : (written?.fields ?? {});
      const kind = isNew ? "create" : written === undefined ? "read" : "write";
      const input = { kind, fields, expected: written?.expected, named: written?.named } as const;
      add(one.record, { input, output: one, began, ended });
    }
    if (answer?.status === 200) continue;
    // A call that was refused changes nothing, unless it wrote several records. One without an answer may
    // have taken effect.
    for (const { record, fields, expected, named } of writes) {
      const input = { kind: "write", fields, expected, named } as const;
      if (record === undefined) continue;
      const isOpen = answer === undefined;
      if (isOpen || writes.length > 1)
        add(record, { input, output: undefined, began, ended: isOpen ? Number.POSITIVE_INFINITY : ended });
      else if (answer.status === 412) add(record, { input, output: "outdated", began, ended });
    }
  }
  return histories;
}

/** @param stored the records as they are in the end */
export function historyFaults(recorded: readonly Recorded[], stored: readonly Shown[]): readonly Finding[] {
  const histories = historiesOf(recorded);
  const end = Number.MAX_SAFE_INTEGER;
  return [...histories].flatMap(([record, { calls, isCreated }]) => {
    const last = stored.find((one) => one.record === record);
    const input = { kind: "read", fields: {}, expected: undefined } as const;
    const all = last === undefined ? calls : [...calls, { input, output: last, began: end, ended: end + 1 }];
    const isHidden = changeOtherwise.some((kind) => record.startsWith(`${kind} `));
    const found = contradictionOf(recordModel(isCreated ? "none" : "unknown", isHidden), all);
    if (found === undefined) return [];
    const { call, states } = found;
    return findings("linearizable", [
      `the history of ${record} is not: a ${call.input.kind} of ${JSON.stringify(call.input.fields)} was answered ${JSON.stringify(call.output)}, when it can only have been ${JSON.stringify(states)}`,
    ]);
  });
}
