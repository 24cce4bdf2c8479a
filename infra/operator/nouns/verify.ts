/** The commands `data migrate`, `data verify` and `events align`. */

import * as z from "zod/mini";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { parseDeployment, readDeploymentItem } from "../../../shared/store/layouts/deployment.ts";
import { movedKinds } from "../../../shared/store/layouts/layouts.ts";
import { tableNames } from "../../../shared/store/tables.ts";
import { accountOf } from "../accounts.ts";
import { alignLevels } from "../align.ts";
import { reply } from "../cli/answer.ts";
import { defineCommand, type Noun, Usage } from "../cli/command.ts";
import { flag, id, optional } from "../cli/fields.ts";
import { operator, type Progress } from "../cli/session.ts";
import { migrate } from "../migrate.ts";
import { type Finding, type ReadPage, type UnknownItems, verify as verifyData } from "../verify/index.ts";

const reasons = {
  busy: "it is written to without a pause; run this again",
  unclear: "records that decide about it can't be found or read; repair those first, and run this again",
} as const;

function lineOf(finding: Finding): string {
  if (finding.kind === "inconclusive") return `${finding.record}: not known, because ${reasons[finding.why]}`;
  if (finding.kind === "unknown") return unknownLine(finding);
  const { record, what, actual, expected, state } = finding;
  const ending = { found: "", repaired: " (repaired)", by_hand: " (to be repaired by hand)" }[state];
  return `${record}: ${what}: expected ${expected}, found ${actual}${ending}`;
}

/** Shows keys, and nothing else of the items. */
function unknownLine({ what, table, begins, layout, count, example: { pk, sk } }: UnknownItems): string {
  const reason = {
    kind: "this release stores no such items",
    layout: `this release can't read their layout ${layout}`,
    left: `they still have layout ${layout}: run "operator data migrate" again`,
  }[what];
  return `table ${table}, items ${begins}: ${count}, such as ${pk} ${sk}; ${reason}. Nothing is repaired while there are any`;
}

/** Counts what is read, and shows the progress. */
function meterOf(bar: Progress) {
  const read = { items: 0, pages: 0, units: 0 };
  return {
    onRead: ({ items, units }: ReadPage): void => {
      read.items += items;
      read.pages += 1;
      read.units += units;
      bar.advance(items);
    },
    /** Ends the progress bar. Returns what was read. */
    stop: (): string => {
      bar.stop("Read");
      return `Items read ${read.items}, in ${read.pages} pages, for ${Math.ceil(read.units)} read units.`;
    },
  };
}

/** @throws Usage if the deployed release has another layout, and could not read what is moved */
async function expectDeployed(db: Database): Promise<void> {
  const { current } = db.layouts;
  const found = parseDeployment(await readDeploymentItem(db));
  if (found !== undefined && found.releaseLayout !== current)
    throw new Usage(
      `Release ${found.release} is deployed, which has layout ${found.releaseLayout}. Deploy a release of layout ${current} first.`,
    );
}

/** @throws Usage if the data are still to be moved to the layout of this release */
async function expectMigrated(db: Database): Promise<void> {
  const found = parseDeployment(await readDeploymentItem(db));
  if (found !== undefined && found.layout !== db.layouts.current)
    throw new Usage('Run "operator data migrate" first: the data have the layout of the release before.');
}

export const data: Noun = {
  name: "data",
  summary: "Everything that is stored, checked and repaired",
  commands: [
    defineCommand({
      words: "migrate",
      summary: "Moves what is stored to the layout of this release, while the service is in use",
      about: [
        "Run it after a release is deployed whose layout is another, once all of its stacks are: CHANGELOG.md says so. It can be",
        "stopped, and goes on where it was when it is run again. From its beginning on, the release before can't be deployed any",
        "more. It reads the tables concerned twice, writes each item that is moved, and needs dynamodb:Scan. Run it again after",
        "you restored a table from before.",
      ],
      examples: ["data migrate"],
      tables: [...tableNames],
      values: z.object({}),
      confirms: () =>
        "All stacks must have been deployed. The release before can't be deployed any more after this. Go on?",
      run: async ({ db, note, progress }) => {
        await expectDeployed(db);
        const bar = progress("Items looked at");
        const migrated = await migrate({ db, note, onPage: bar.advance });
        bar.stop("Read");
        const { current } = db.layouts;
        const { read, moved } = migrated;
        const text =
          movedKinds(db.layouts).length === 0
            ? `There is nothing to do: the data have layout ${current}.`
            : `The data have layout ${current}. Items looked at ${read}, moved ${moved}.`;
        return reply(text, { layout: current, ...migrated });
      },
    }),
    defineCommand({
      words: "verify [account]",
      summary: "Holds what is stored of an account, or of all, against the rules of the service",
      about: [
        "It checks totals and filters of lists, and the ids that come next. It checks what finds records, and what they refer",
        "to. It checks stock, counts of picked orders, serials and returns. It checks corrections, steps underway and webhooks.",
        "It names items that this release does not store or can't read, as those of another release are: then it repairs",
        "nothing. Repair waits for `data migrate`, too.",
        "With an account it leaves out ids of jobs and webhooks, counts of picked orders and what is left of what is gone.",
        "The service may be in use: what looks wrong is read again before it is named. The status is 1 where anything is",
        "wrong, or not known. It reads whole tables and needs dynamodb:Scan.",
        "",
        "--repair takes bins, open records and the settings of webhooks for right. It sets all else by them, and leaves a",
        'movement `repaired` for stock. It leaves alone what it calls "to be repaired by hand": negative bins, records that',
        "are gone or can't be read, and two records of one name. The same goes for secrets, and for returned units that no",
        "return announces. Align the account's events after it.",
      ],
      options: { "--repair": "repair what can be repaired while the service is in use" },
      examples: ["data verify", "data verify 100", "data verify 100 --repair"],
      tables: [...tableNames],
      values: z.object({ account: optional(id), repair: flag }),
      confirms: ({ repair }) => (repair ? "What is found wrong will be overwritten. Go on?" : undefined),
      run: async ({ db, note, progress }, { account: accountId, repair }) => {
        if (accountId !== undefined) await accountOf(db, accountId);
        if (repair) await expectMigrated(db);
        const findings: Finding[] = [];
        const meter = meterOf(progress("Reading"));
        const report = (finding: Finding): void => {
          findings.push(finding);
          note(lineOf(finding));
        };
        const { onRead } = meter;
        await verifyData({ db, accountId, report, onRead, ...(repair && { repairer: operator }) });
        const open = findings.filter((one) => one.kind !== "difference" || one.state !== "repaired");
        const repaired = findings.length - open.length;
        const outcome =
          findings.length === 0
            ? "Nothing is wrong."
            : `Findings ${findings.length}, of which ${repaired} are repaired.`;
        const text = `${outcome} ${meter.stop()}`;
        return { text, data: findings, failed: open.length > 0 };
      },
    }),
  ],
};

export const events: Noun = {
  name: "events",
  summary: "The feeds of accounts",
  commands: [
    defineCommand({
      words: "align <account>",
      summary: "Sets right the stock levels that an account's feed tells, where a change was given up",
      about: [
        'It publishes one event stock.changed for each level that is off for good, with the reason "aligned". What may still',
        "be told, because a stream keeps it, is left alone: run it again a day later. The publisher may be at work.",
      ],
      examples: ["events align 100"],
      tables: ["identity", "events", "inventory", "tallies"],
      values: z.object({ account: id }),
      confirms: ({ account }) => `Events will be published in the feed of account ${account}. Go on?`,
      run: async ({ db, note }, { account: accountId }) => {
        await accountOf(db, accountId);
        const now = new Date().toISOString();
        const aligned = await alignLevels({
          db,
          accountId,
          by: operator,
          now,
          report: ({ sku, distribution_center }, { on_hand, reserved, incoming }) =>
            note(
              `${sku} in ${distribution_center}: on_hand ${on_hand}, reserved ${reserved}, incoming ${incoming} were lost`,
            ),
        });
        const { late, busy } = aligned;
        const text = `Levels aligned ${aligned.aligned}, perhaps only late ${late}, too busy ${busy}.`;
        return { ...reply(text, aligned), failed: busy > 0 };
      },
    }),
  ],
};
