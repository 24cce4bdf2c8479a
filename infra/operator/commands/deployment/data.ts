/** The commands of stored data: verified, repaired, migrated and restored. */

import * as z from "zod/mini";
import { invalid } from "../../../../shared/common/problem.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { movedKinds } from "../../../../shared/store/layouts/layouts.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { operator } from "../../cli/context.ts";
import { allowed, flag, id, oneOf, optional } from "../../cli/fields.ts";
import { Usage } from "../../cli/outcome.ts";
import { reply } from "../../cli/result.ts";
import { migrate, readDeployment } from "../../migrate.ts";
import { restorableKinds, restoreRecord } from "../../restore-record.ts";
import { readAccount } from "../../set-up/accounts.ts";
import { type Finding, type ReadPage, type UnknownItems, verify as verifyData } from "../../verify/index.ts";

const reasons = {
  busy: "it is written to without a pause; run this again",
  unclear: "records that decide about it can't be found or read; repair those first, and run this again",
} as const;

function lineOf(finding: Finding): string {
  if (finding.kind === "inconclusive") return `${finding.record}: not known, because ${reasons[finding.why]}`;
  if (finding.kind === "unknown") return unknownLine(finding);
  const { record, what, actual, expected, state, next, isAcceptable } = finding;
  const acceptance = `; or, if it is lost for good, add --repair --accept ${JSON.stringify(record)}`;
  const left = ` (left to you: ${next ?? "see docs/operators/verify.md"}${isAcceptable === true ? acceptance : ""})`;
  const ending = { found: "", repaired: " (repaired)", by_hand: left }[state];
  return `${record}: ${what}: expected ${expected}, found ${actual}${ending}`;
}

/** Whether a finding of this record is repaired, or would be without the dry run. */
const isAccepted = (name: string) => (finding: Finding) =>
  finding.kind === "difference" &&
  finding.record === name &&
  (finding.state !== "by_hand" || finding.isAcceptable === true);

/** Shows keys, and nothing else of the items. */
function unknownLine({ what, table, begins, layout, count, example: { pk, sk } }: UnknownItems): string {
  const reason = {
    kind: "this release stores no such items",
    layout: `this release can't read their layout ${layout}`,
    left: `they still have layout ${layout}: run "operator data migrate" again`,
  }[what];
  return `table ${table}, items ${begins}: ${count}, such as ${pk} ${sk}; ${reason}. Nothing is repaired while there are any`;
}

/** @throws Problem if the deployed release has another layout, and could not read what is moved */
async function expectDeployed(db: Database): Promise<void> {
  const { current } = db.layouts;
  const found = await readDeployment(db);
  if (found !== undefined && found.release_layout !== current)
    throw invalid(
      `Release ${found.release} is deployed, which has layout ${found.release_layout}. Deploy a release of layout ${current} first.`,
    );
}

/** @throws Problem if the data are still to be moved to the layout of this release */
async function expectMigrated(db: Database): Promise<void> {
  const found = await readDeployment(db);
  if (found !== undefined && found.data_layout !== db.layouts.current)
    throw invalid('Run "operator data migrate" first: the data have the layout of the release before.');
}

const restoredTable = allowed(z.string().check(z.minLength(1)), "the name of the restored table");

export const data: Commands = [
  defineCommand({
    words: "data migrate",
    summary:
      "Migrates stored data to the layout and the lookup indexes of this release, while the service is in use",
    about: [
      "Run it after a deployment to a release with another layout or a new lookup index, once all of its stacks are updated:",
      "CHANGELOG.md says so. It can be stopped and run again: moving continues where it stopped, and an index is read from its",
      "start. Once it has moved all data to another layout, the previous release can't be deployed any more; lookup indexes do",
      "not prevent that. It reads the tables concerned twice, writes each changed item, and needs dynamodb:Scan. After you restored a",
      "table from an earlier time, run it again, and then `data verify --repair`, which adds missing entries of indexes.",
    ],
    examples: ["data migrate"],
    values: z.object({}),
    changes: {
      warning: () =>
        "All stacks must have been deployed: after data are moved to another layout, the release before can't be deployed any more.",
    },
    run: async ({ db, note, progress }) => {
      await expectDeployed(db);
      const migrated = await migrate({ db, note, onPage: progress("Items looked at") });
      const { current } = db.layouts;
      const { read, moved, indexed } = migrated;
      const counts = [
        ...(movedKinds(db.layouts).length === 0 ? [] : [` Items looked at ${read}, moved ${moved}.`]),
        ...(indexed === 0 ? [] : [` Records added to lookup indexes: ${indexed}.`]),
      ];
      const text =
        counts.length === 0
          ? `There is nothing to do: the data have layout ${current}.`
          : `The data have layout ${current}.${counts.join("")}`;
      return reply(text, { layout: current, ...migrated });
    },
  }),
  defineCommand({
    words: "data verify [account]",
    summary: "Verifies the stored data of an account, or of all accounts, and repairs them on request",
    about: [
      "It verifies lists, lookups and references, stock, serials, returns, corrections, sagas and webhooks, and reports items that",
      "this release does not store or can't read: docs/operators/verify.md says what must hold. With an account it names only what",
      "belongs to the account. The service may be in use. The status is 5 if anything is wrong or not known. It reads whole tables",
      "and needs dynamodb:Scan.",
      "",
      "--repair trusts bins, open records and the settings of webhooks, corrects everything else accordingly, and keeps what points",
      "at something lost. --accept RECORD states that what RECORD points at is lost for good: what is left of it is discarded. RECORD",
      "is the text that the finding begins with.",
    ],
    options: {
      "--repair": "repair what can be repaired while the service is in use",
      "--accept <record...>": "with --repair: also discard what is left of something lost",
    },
    examples: [
      "data verify",
      "data verify 100",
      "data verify 100 --repair",
      'data verify 100 --repair --accept "stock of product 1000 (TEE) in MAIN"',
    ],
    values: z.object({ account: optional(id), repair: flag, accept: z._default(z.array(z.string()), []) }),
    changes: {
      if: ({ repair }) => repair,
      warning: () => "What is found wrong will be overwritten.",
    },
    run: async ({ db, note, progress, dryRun }, { account: accountId, repair, accept }) => {
      if (accept.length > 0 && !repair) throw new Usage("--accept needs --repair");
      if (accountId !== undefined) await readAccount(db, accountId);
      if (repair) await expectMigrated(db);
      const isRepairing = repair && !dryRun;
      const findings: Finding[] = [];
      const advance = progress("Reading");
      const read = { items: 0, pages: 0, units: 0 };
      const onRead = ({ items, units }: ReadPage): void => {
        read.items += items;
        read.pages += 1;
        read.units += units;
        advance(items);
      };
      const report = (finding: Finding): void => {
        findings.push(finding);
        note(lineOf(finding));
      };
      const repairs = isRepairing && { repairer: operator, accepted: new Set(accept) };
      await verifyData({ db, accountId, report, onRead, ...repairs });
      const open = findings.filter((one) => one.kind !== "difference" || one.state !== "repaired");
      const repaired = findings.length - open.length;
      const left = open.filter((one) => one.kind === "difference" && one.state === "by_hand").length;
      const outcome =
        findings.length === 0
          ? "Nothing is wrong."
          : `Findings ${findings.length}, of which ${repaired} are repaired${left === 0 ? "" : ` and ${left} left to you`}.`;
      const isFound = (name: string) => findings.some((one) => "record" in one && one.record === name);
      for (const name of accept)
        if (!isFound(name)) note(`Nothing was found of ${JSON.stringify(name)}, so nothing was accepted.`);
        else if (!findings.some(isAccepted(name)))
          note(`${JSON.stringify(name)} can't be accepted as lost: do what its finding says.`);
      const cost = `in ${read.pages} pages, for ${Math.ceil(read.units)} read units`;
      const text = `${outcome} Items read ${read.items}, ${cost}.`;
      const isClean = open.length === 0 && accept.every(isFound);
      return { text, data: findings, ends: isClean ? undefined : "findings" };
    },
  }),
  defineCommand({
    words: "data restore-record <kind> <id>",
    summary: "Brings a lost record back out of a restored table",
    about: [
      `KIND is one of ${restorableKinds.join(", ")}. Restore the table that has such records to a time before the loss, under a`,
      "new name, and state that name. The record gets its lookup items and, if it is an order, its history. It is refused if the",
      "record exists, if another record has its number or name, or if what it refers to is missing. Run `data verify` afterwards.",
      "",
      "For the kind `stock`, ID is the id of a product: its lost stock records and bins come back as they were, and the others stay",
      "as they are. Then run `data verify --repair`, and count the bins. A webhook comes back switched off.",
    ],
    options: { "--from <table>": "the name of the restored table (required)" },
    examples: [
      "data restore-record order 1003 --from oiw-orders-restored",
      "data restore-record stock 1000 --from oiw-inventory-restored",
    ],
    values: z.object({ kind: oneOf(restorableKinds), id, from: restoredTable }),
    changes: { warning: ({ kind, id: record }) => `The ${kind} ${record} will be brought back.` },
    run: async ({ db }, { kind, id: record, from }) => {
      const restored = await restoreRecord(db, kind, record, from);
      const lines = [`The ${restored.record} is back. Items stored:`, ...restored.items];
      return reply(lines.join("\n"), restored);
    },
  }),
];
