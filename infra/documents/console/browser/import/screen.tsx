/** Import: orders or products of a CSV file are checked by dry runs, and sent once every cell is accepted. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Rejection } from "../../../../operator/import/columns.ts";
import { failureOf, isTemporary, refusal, useAction } from "../parts/calls.ts";
import { Button, Field, Select } from "../parts/forms.tsx";
import { type Column, Paged } from "../parts/lists.tsx";
import { go, useRoute } from "../parts/route.ts";
import { useSession } from "../parts/session.ts";
import { count, counted, Failure, Screen } from "../parts/ui.tsx";
import type { CsvRow } from "./csv.ts";
import { type Kind, kinds, readSheet } from "./sheet.ts";
import { begun, checking, type Import, sending } from "./steps.ts";

export function ImportPage() {
  const { mayWrite } = useSession();
  const name = useRoute().path[1] === "products" ? "products" : "orders";
  return (
    <Screen title="Import">
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
    </Screen>
  );
}

type Step = typeof checking;

/** An import, and the step that is under way or was the last. */
interface State {
  readonly work: Import;
  readonly step: Step;
}

function useImport(kind: Kind) {
  const { run, isBusy, failure } = useAction();
  const [state, setState] = useState<State>();
  // A step ends with its screen, with another file, or by the button that stops it.
  const turn = useRef(0);
  const stop = (): void => {
    turn.current += 1;
  };
  useEffect(() => stop, []);
  const follow = (step: Step, read: () => Promise<Import>): Promise<void> =>
    run(async (client) => {
      stop();
      const mine = turn.current;
      const work = await read();
      setState({ work, step });
      for await (const next of step(work, client)) {
        setState({ work: next, step });
        if (mine !== turn.current) return;
      }
    });
  const choose = (file: File) => {
    setState(undefined);
    return follow(checking, async () => {
      const sheet = await readSheet(file, kind).catch((error: unknown) => {
        throw refusal(failureOf(error).message);
      });
      return begun(kind, sheet);
    });
  };
  const goOn = (step: Step, work: Import) => follow(step, async () => work);
  return { state, isBusy, failure, choose, goOn, stop };
}

function FileImport({ kind }: { readonly kind: Kind }) {
  const { state, isBusy, failure, choose, goOn, stop } = useImport(kind);
  const { required, known } = kind.columns;
  return (
    <>
      <Field
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        disabled={isBusy}
        onChange={({ currentTarget: { files } }) => files?.[0] !== undefined && choose(files[0])}
      />
      <details>
        <summary>Columns</summary>
        <p>
          The first row names the columns, in any order. Required are {required.join(", ")}. All are:{" "}
          <code>{known.join(", ")}</code>
        </p>
      </details>
      {failure !== undefined && <Failure of={failure} />}
      {state !== undefined && (
        <>
          <Progress {...state} />
          {isBusy ? <Button onClick={stop}>Stop</Button> : <Next {...state} failure={failure} goOn={goOn} />}
          <Rows of={state.work} />
        </>
      )}
    </>
  );
}

function Progress({ work, step }: State) {
  const all = work.sheet.records.length;
  const [verb, done] = step === sending ? ["Sent", work.sent] : ["Checked", work.checked];
  return (
    <label class="field">
      <span>
        {verb} {count.format(done)} of {counted(all, work.kind.noun)}
      </span>
      <progress value={done} max={all} />
    </label>
  );
}

interface NextProps extends State {
  readonly failure: ServiceError | undefined;
  readonly goOn: (step: Step, work: Import) => void;
}

/** What the last step found, and the next one. */
function Next({ work, step, failure, goOn }: NextProps) {
  const { kind, sheet, existing, refused, refusals } = work;
  const fresh = sheet.records.length - existing.size;
  const button = (label: string, next: Step, from = work) => (
    <Button class="primary" onClick={() => goOn(next, from)}>
      {label}
    </Button>
  );
  if (failure !== undefined && !isTemporary(failure))
    return button("Check again", checking, { ...begun(kind, sheet), refusals: refusals + 1 });
  if ((step === sending ? work.sent : work.checked) < sheet.records.length) return button("Go on", step);
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
  const cell = (line: number, text: string, isIn: (field: string) => boolean) => (
    <Cell text={text} problems={byRow.get(line)?.filter(({ field }) => isIn(field)) ?? []} />
  );
  const columns = sheet.columns
    .map((title, position): Column<CsvRow> => {
      const isIn = (field: string) => field === title;
      return { title, of: ({ line, fields }) => cell(line, fields[position] ?? "", isIn) };
    })
    .toSorted((left, right) => Number(wrong.has(right.title)) - Number(wrong.has(left.title)));
  const isNowhere = (field: string) => !sheet.columns.includes(field);
  const number: Column<CsvRow> = { title: "Row", of: ({ line }) => cell(line, String(line), isNowhere) };
  return (
    <Paged label="Rows" noun="row" rows={rows} columns={[number, ...columns]} keyOf={({ line }) => line} />
  );
}

const Cell = ({ text, problems }: { readonly text: string; readonly problems: readonly Rejection[] }) => (
  <div class={problems.length === 0 ? "" : "red"}>
    {text}
    {problems.map(({ field, message }) => (
      <small key={field + message}>{message}</small>
    ))}
  </div>
);
