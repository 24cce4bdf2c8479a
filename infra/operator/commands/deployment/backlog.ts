/** What waits in a deployment, and since when. */
import * as z from "zod/mini";
import { readFeedHead } from "../../../../shared/events/feed-repository.ts";
import { setAsideChanges, setAsideRecords } from "../../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { pendingOwners } from "../../../../shared/store/lists/counters/pending-roll-ups.ts";
import { beginningsOfSagas } from "../../../../shared/store/sagas/open-sagas.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { listed } from "../../cli/result.ts";
import { queuedJobs } from "../../queued-jobs.ts";
import { hasSecret, webhooksIn } from "../records/webhooks.ts";

/** Something that waits: how many there are, and the time of the oldest, if that is known. */
interface BacklogRow {
  readonly waits: string;
  readonly count: number;
  readonly oldest: string | null;
  readonly see: string;
}

const summary = (waits: string, times: readonly (string | null)[], see: string): BacklogRow => {
  const [oldest = null] = times.filter((time) => time !== null).toSorted();
  return { waits, count: times.length, oldest, see };
};

async function waitingJobs(db: Database): Promise<readonly BacklogRow[]> {
  const jobs = await Array.fromAsync(queuedJobs(db), (job) =>
    job === "unclear" ? { kind: "unreadable", at: null } : { kind: job.kind, at: job.queued_at },
  );
  const timesOf = (some: typeof jobs) => some.map(({ at }) => at);
  return [...Map.groupBy(jobs, ({ kind }) => kind)].map(([kind, some]) =>
    summary(`jobs: ${kind}`, timesOf(some), "jobs list"),
  );
}

async function rollUps(db: Database): Promise<BacklogRow> {
  const times = await Array.fromAsync(pendingOwners(db), () => null);
  return summary("owners of lists with counts to roll up", times, "docs/operators/day-to-day.md");
}

async function setAside(db: Database): Promise<BacklogRow> {
  const times: string[] = [];
  for (const record of await setAsideRecords(db))
    times.push(...(await setAsideChanges(db, record)).map(({ change }) => change.at));
  return summary("changes that are set aside", times, "events set-aside");
}

async function webhooksBehind(db: Database): Promise<readonly BacklogRow[]> {
  const now = new Date().toISOString();
  const states = await webhooksIn(db);
  const behind: (string | null)[] = [];
  const unsigned: (string | null)[] = [];
  for (const { webhook, progress } of states) {
    if (!webhook.active) continue;
    if (!(await hasSecret(db, { webhook, progress }))) unsigned.push(progress.last_success_at);
    const { sequence } = await readFeedHead(db, webhook.account_id, now);
    if (sequence > progress.cursor) behind.push(progress.last_success_at);
  }
  const failing = states.filter(({ webhook, progress }) => webhook.active && progress.failing_since !== null);
  const disabled = states.filter(({ webhook }) => !webhook.active);
  return [
    summary("webhooks behind their feed, by their last delivery", behind, "events lag"),
    summary("webhooks without a secret, which send nothing, by their last delivery", unsigned, "data verify"),
    summary(
      "webhooks whose receiver fails",
      failing.map(({ progress }) => progress.failing_since),
      "webhooks deliveries",
    ),
    summary(
      "webhooks that are switched off",
      disabled.map(({ webhook }) => webhook.updated_at),
      "webhooks list",
    ),
  ];
}

export const backlog: Commands = [
  defineCommand({
    words: "backlog",
    summary: "Shows what waits, how much of it, and since when",
    about: [
      "It does not count changes that are still in the streams: `events lag` and the alarms on late changes show those.",
    ],
    examples: ["backlog", "backlog --json"],
    values: z.object({}),
    run: async ({ db }) => {
      const [jobs, sagas, ...others] = await Promise.all([
        waitingJobs(db),
        beginningsOfSagas(db),
        rollUps(db),
        setAside(db),
        webhooksBehind(db),
      ]);
      const steps = summary("sagas in progress", sagas, "data verify");
      const rows = [...jobs, steps, ...others.flat()].filter(({ count }) => count > 0);
      return listed(rows, "Nothing waits.");
    },
  }),
];
