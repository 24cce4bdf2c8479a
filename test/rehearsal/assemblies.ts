/** The cloud assemblies that a rehearsal deploys one after another. */
import {
  type Assembly,
  bundlesHere,
  changed,
  type Edit,
  edited,
  synthesizeHere,
  synthesizeThere,
} from "./assembly.ts";
import { checkOutLastRelease, lastRelease } from "./releases.ts";
import { refusedAlarm } from "./taken-out.ts";

export interface Assemblies {
  /** The folder of this checkout's bundles. */
  readonly bundles: string;
  /** The version of the last release. */
  readonly version: string;
  readonly released: Assembly;
  /** This checkout. Every function differs from the release's, whatever has changed since. */
  readonly current: Assembly;
  readonly failingBeforeTables: Assembly;
  readonly failingBehindTables: Assembly;
  readonly skippingLayouts: Assembly;
  /** A deployment of its own, as states of before release 1.0.0 left it, and what upgrades it. */
  readonly unrecorded: Assembly;
  readonly recorded: Assembly;
}

const tableType = "AWS::DynamoDB::GlobalTable";

/** Makes the creation of the stack with the tables fail before one of them is created. */
const failingBeforeTables: Edit = (stack, { Resources }) => {
  if (stack !== "Data") return;
  for (const one of Object.values(Resources))
    if (one.Type === tableType) one.DependsOn = [...[one.DependsOn ?? []].flat(), "Failing"];
  Object.assign(Resources, { Failing: refusedAlarm });
};

/** Makes it fail once all tables are created. */
const failingBehindTables: Edit = (stack, { Resources }) => {
  if (stack !== "Data") return;
  const tables = Object.keys(Resources).filter((id) => Resources[id]?.Type === tableType);
  Object.assign(Resources, { Failing: { ...refusedAlarm, DependsOn: tables } });
};

/** As if the release had a layout that can't read the data of the last one. */
const skippingLayouts: Edit = (_stack, { Resources }) => {
  for (const { Type, Properties } of Object.values(Resources))
    if (Type === "Custom::DeploymentRecord")
      Object.assign(Properties ?? {}, { Layout: 3, OldestLayout: 2, Release: "3.0.0" });
};

/** As if no release had been recorded yet. */
const unrecorded: Edit = (_stack, { Resources }) => {
  for (const [id, { Type }] of Object.entries(Resources))
    if (Type === "Custom::DeploymentRecord") delete Resources[id];
};

/** The deployment whose data are older than release 1.0.0. */
export const oldDeployment = "old";

/** @param isFromHere whether the last release is left out, and this checkout takes its place */
export async function synthesizeAll(scratch: string, isFromHere: boolean): Promise<Assemblies> {
  const { version, checkout } = isFromHere ? lastRelease() : checkOutLastRelease(scratch);
  const [released, own] = await Promise.all([
    checkout === undefined ? undefined : synthesizeThere(scratch, checkout),
    synthesizeOwn(scratch),
  ]);
  return { version, released: released ?? own.unchanged, ...own };
}

/** Synthesizes this checkout. Assemblies that differ by their templates are copies. */
async function synthesizeOwn(scratch: string) {
  const bundles = await bundlesHere(scratch);
  const unchanged = synthesizeHere(scratch, bundles);
  const recorded = synthesizeHere(scratch, bundles, { deployment: oldDeployment });
  return {
    bundles,
    unchanged,
    current: synthesizeHere(scratch, changed(scratch, bundles)),
    failingBeforeTables: edited(scratch, unchanged, failingBeforeTables),
    failingBehindTables: edited(scratch, unchanged, failingBehindTables),
    skippingLayouts: edited(scratch, unchanged, skippingLayouts),
    unrecorded: edited(scratch, recorded, unrecorded),
    recorded,
  };
}
