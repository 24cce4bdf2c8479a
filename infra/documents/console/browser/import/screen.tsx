/** Import: orders or products of a CSV file are checked by dry runs, and sent once every cell is accepted. */
import { ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Rejection } from "../../../../operator/import/columns.ts";
import { Select } from "../parts/forms.tsx";
import { Paged } from "../parts/lists.tsx";
import { go, useRoute } from "../parts/route.ts";
import { useSession, useSigned } from "../parts/session.ts";
import { count, counted, Failure, useTitle } from "../parts/ui.tsx";
import { failureOf, isTemporary } from "../parts/use-call.ts";
import type { CsvRow } from "./csv.ts";
import { type Kind, kinds, readSheet } from "./sheet.ts";
import { begun, checking, type Import, sending } from "./steps.ts";

type Step = typeof checking;

interface State {
  readonly work?: Import;
  /** The step that is under way, or was stopped. */
  readonly step?: Step;
  readonly isRunning: boolean;
  /** Why the file can't be read, or the step has stopped. */
  readonly failure?: ServiceError;
}

function useImport(kind: Kind) {
  const { session, reject } = useSigned();
  const [state, setState] = useState<State>({ isRunning: false });
  const turn = useRef(0);
  // A step ends with its screen, with another file, or by the button that stops it.
  const stop = (): void => {
    turn.current += 1;
    setState((last) => ({ ...last, isRunning: false }));
  };
  useEffect(() => stop, []);
  const run = async (step: Step, work: Import): Promise<void> => {
    stop();
    const mine = turn.current;
    setState({ work, step, isRunning: true });
    try {
      for await (const next of step(work, session.client)) {
        if (mine !== turn.current) return;
        setState({ work: next, step, isRunning: true });
      }
      setState((last) => ({ ...last, isRunning: false }));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status === 401) reject(failure);
      else if (mine === turn.current) setState((last) => ({ ...last, isRunning: false, failure }));
    }
  };
  const choose = async (file: File): Promise<void> => {
    stop();
    try {
      await run(checking, begun(kind, await readSheet(file, kind)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setState({ isRunning: false, failure: new ServiceError({ message, status: 400 }) });
    }
  };
  return { ...state, choose, run, stop };
}

export function ImportPage() {
  useTitle("Import");
  const { mayWrite } = useSession();
  const { path } = useRoute();
  const name = path[1] === "products" ? "products" : "orders";
  return (
    <>
      <h1>Import</h1>
      <Select
        label="What the file has"
        name="kind"
        value={name}
        options={[
          ["orders", "Orders, a row for each line"],
          ["products", "Products"],
        ]}
        onPick={({ value }) => go(["import", value])}
      />
      {mayWrite ? <FileImport key={name} kind={kinds[name]} /> : <p>A read-only key can't import.</p>}
    </>
  );
}

function FileImport({ kind }: { readonly kind: Kind }) {
  const { choose, run, stop, ...state } = useImport(kind);
  const { work, failure } = state;
  const { columns } = kind;
  return (
    <>
      <label class="field">
        <span>CSV file</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget: { files } }) => files?.[0] !== undefined && choose(files[0])}
        />
      </label>
      <details>
        <summary>Columns</summary>
        <p>
          The first row names the columns, in any order. Required are {columns.required.join(", ")}. All are:
        </p>
        <p>
          <code>{columns.known.join(", ")}</code>
        </p>
      </details>
      {failure !== undefined && <Failure of={failure} />}
      {work !== undefined && (
        <>
          <Progress work={work} step={state.step} onStop={state.isRunning ? stop : undefined} />
          {!state.isRunning && <Next {...state} work={work} run={run} />}
          <Rows of={work} />
        </>
      )}
    </>
  );
}

interface ProgressProps {
  readonly work: Import;
  readonly step: Step | undefined;
  /** Stops the step while it is under way. */
  readonly onStop: (() => void) | undefined;
}

function Progress({ work, step, onStop }: ProgressProps) {
  const all = work.sheet.records.length;
  const [verb, done] = step === sending ? ["Sent", work.sent] : ["Checked", work.checked];
  return (
    <>
      <label class="field">
        <span>
          {verb} {count.format(done)} of {counted(all, work.kind.noun)}
        </span>
        <progress value={done} max={all} />
      </label>
      {onStop !== undefined && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
    </>
  );
}

interface NextProps extends State {
  readonly work: Import;
  readonly run: (step: Step, work: Import) => Promise<void>;
}

/** What the last step found, and the next one. */
function Next({ work, step = checking, failure, run }: NextProps) {
  const { kind, sheet, existing, refused, refusals } = work;
  const fresh = sheet.records.length - existing.size;
  const done = step === sending ? work.sent : work.checked;
  const button = (label: string, next: Step, from = work) => (
    <button type="button" class="primary" onClick={() => run(next, from)}>
      {label}
    </button>
  );
  if (failure !== undefined && !isTemporary(failure))
    return button("Check again", checking, { ...begun(kind, sheet), refusals: refusals + 1 });
  if (done < sheet.records.length) return button("Go on", step);
  if (step === sending) return <p class="notice green">Sent {counted(fresh, kind.noun)}.</p>;
  if (refused.length > 0)
    return (
      <p class="notice red">
        {counted(refused.length, "problem")}. Nothing is sent until there is none: correct the file, and
        choose it again.
      </p>
    );
  return (
    <>
      <p class="notice">
        {fresh > 0 && `All are accepted: ${counted(fresh, kind.noun)} would be created. `}
        {existing.size > 0 && `${counted(existing.size, kind.noun)} exist already, and are left out.`}
      </p>
      {fresh > 0 && button(`Send ${counted(fresh, kind.noun)}`, sending)}
    </>
  );
}

/** The rows that have a problem, and first the columns that do; all if there is none. */
function Rows({ of: { sheet, refused } }: { readonly of: Import }) {
  const byRow = Map.groupBy(refused, ({ row }) => row);
  const wrong = new Set(refused.map(({ field }) => field));
  const rows = refused.length === 0 ? sheet.rows : sheet.rows.filter(({ line }) => byRow.has(line));
  const column = (title: string, textOf: (row: CsvRow) => string, isIn: (field: string) => boolean) => ({
    title,
    of: (row: CsvRow) => (
      <Cell text={textOf(row)} problems={byRow.get(row.line)?.filter(({ field }) => isIn(field)) ?? []} />
    ),
  });
  const columns = [
    // What is wrong with no cell is said beside the row's number.
    column(
      "Row",
      ({ line }) => String(line),
      (field) => !sheet.columns.includes(field),
    ),
    ...sheet.columns
      .map((title, position) =>
        column(
          title,
          ({ fields }) => fields[position] ?? "",
          (field) => field === title,
        ),
      )
      .toSorted((left, right) => Number(wrong.has(right.title)) - Number(wrong.has(left.title))),
  ];
  return <Paged label="Rows" noun="row" rows={rows} columns={columns} keyOf={({ line }) => line} />;
}

const Cell = ({ text, problems }: { readonly text: string; readonly problems: readonly Rejection[] }) => (
  <div class={problems.length === 0 ? "" : "refused-cell"}>
    {text}
    {problems.map(({ field, message }) => (
      <small key={field + message}>{message}</small>
    ))}
  </div>
);
