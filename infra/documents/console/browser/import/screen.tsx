/** Import: orders or products of a CSV file are checked by dry runs, and sent once every cell is accepted. */
import { ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CsvRow } from "../../../../import/csv.ts";
import { Field, onSubmit, textsOf } from "../parts/forms.tsx";
import { type Column, Table } from "../parts/lists.tsx";
import { go } from "../parts/route.ts";
import { isTemporary, messageOf, useAction, useSigned } from "../parts/service.ts";
import { Button, count, counted, Failure, type Of, Screen } from "../parts/ui.tsx";
import { type Kind, kinds, readSheet } from "./sheet.ts";
import { begun, type Import, stepping } from "./steps.ts";

const options = [
  ["orders", "Orders, a row for each line"],
  ["products", "Products"],
] as const;

export function ImportPage() {
  const { mayWrite } = useSigned();
  const name = useSigned().route.path[1] === "products" ? "products" : "orders";
  const pick = onSubmit((form) => go(["import", textsOf(form)["kind"] ?? ""]));
  return (
    <Screen title="Import">
      <form onChange={pick}>
        <Field label="What the file has" name="kind" value={name} options={options} />
      </form>
      {mayWrite ? <FileImport key={name} of={kinds[name]} /> : <p>A read-only key can't import.</p>}
    </Screen>
  );
}

function FileImport({ of: kind }: Of<Kind>) {
  const { known, required } = kind.columns;
  const optional = known.filter((name) => !required.includes(name));
  const { run, isBusy, failure } = useAction();
  const [work, setWork] = useState<Import>();
  // A step ends with its screen, with another file, or by the button that stops it.
  const turn = useRef(0);
  const stop = (): void => {
    turn.current += 1;
  };
  useEffect(() => stop, []);
  const goOn = (started: Import | Promise<Import>) =>
    run(async (client) => {
      stop();
      const mine = turn.current;
      setWork(await started);
      for await (const next of stepping(await started, client)) {
        setWork(next);
        if (mine !== turn.current) return;
      }
    });
  const choose = (file: File | undefined): void => {
    if (file === undefined || isBusy) return;
    setWork(undefined);
    const refuse = (error: unknown): never => {
      throw new ServiceError({ message: messageOf(error), status: 400 });
    };
    goOn(readSheet(file, kind).then((sheet) => begun(kind, sheet), refuse));
  };
  return (
    <>
      <Field
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        aria-disabled={isBusy}
        onClick={(event) => isBusy && event.preventDefault()}
        hint={`Columns, named by the first row: ${required.join(", ")}. Optional: ${optional.join(", ")}.`}
        onChange={({ currentTarget: { files } }) => choose(files?.[0])}
      />
      <Failure of={failure} />
      {work && <Progress of={work} />}
      {work && (isBusy ? <Button of="Stop" onClick={stop} /> : <Next of={work} {...{ failure, goOn }} />)}
      {work && <Rows of={work} />}
    </>
  );
}

const Progress = ({ of: { step, done, sheet, kind } }: Of<Import>) => (
  <label class="field">
    {step === "send" ? "Sent" : "Checked"} {count.format(done)} of {counted(sheet.records.length, kind.noun)}
    <progress value={done} max={sheet.records.length} />
  </label>
);

interface NextProps extends Of<Import> {
  readonly failure: ServiceError | undefined;
  readonly goOn: (work: Import) => void;
}

function Next({ of: work, failure, goOn }: NextProps) {
  const { kind, sheet, step, done, existing, refused } = work;
  const say = (tone: string, text: string) => <p class={`notice ${tone}`}>{text}</p>;
  const button = (label: string, next: Import) => <Button of={label} onClick={() => goOn(next)} />;
  if (failure !== undefined && !isTemporary(failure)) return button("Check again", begun(kind, sheet));
  if (done < sheet.records.length) return button("Go on", work);
  const fresh = counted(sheet.records.length - existing.size, kind.noun);
  if (step === "send") return say("green", `Sent ${fresh}.`);
  if (refused.length > 0)
    return say("red", `${counted(refused.length, "problem")}. Correct the file, and choose it again.`);
  const known = `${counted(existing.size, kind.noun)} exist already, and are left out.`;
  if (existing.size === sheet.records.length) return say("", known);
  return (
    <>
      {say("", `All are accepted: ${fresh} would be created. ${existing.size > 0 ? known : ""}`)}
      {button(`Send ${fresh}`, { ...work, step: "send", done: 0 })}
    </>
  );
}

/** The rows with a problem, and first the columns with one; all if there is none. */
function Rows({ of: { sheet, refused } }: Of<Import>) {
  const byRow = Map.groupBy(refused, ({ row }) => row);
  const wrong = new Set(refused.map(({ field }) => field));
  const cell = (line: number, text: string, isIn: (field: string) => boolean) => {
    const problems = (byRow.get(line) ?? []).filter(({ field }) => isIn(field));
    const said = problems.map(({ message }) => <small key={message}>{message}</small>);
    return said.length === 0 ? text : <div class="red">{[text, ...said]}</div>;
  };
  const columns = sheet.columns.map((title, position): Column<CsvRow> => {
    const isIn = (field: string) => field === title;
    return { title, of: ({ line, fields }) => cell(line, fields[position] ?? "", isIn) };
  });
  const isNowhere = (field: string) => !sheet.columns.includes(field);
  const number: Column<CsvRow> = { title: "Row", of: ({ line }) => cell(line, String(line), isNowhere) };
  columns.sort((left, right) => Number(wrong.has(right.title)) - Number(wrong.has(left.title)));
  const rows = sheet.rows.filter(({ line }) => refused.length === 0 || byRow.has(line));
  return <Table label="Rows" noun="row" rows={rows} columns={[number, ...columns]} />;
}
