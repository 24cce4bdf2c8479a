/** Follows a call through the records that name it (docs/decisions.md, What a call caused). */
import * as z from "zod/mini";
import { dayLength, laterOf } from "../../../../shared/common/times.ts";
import { type Event, matchesType } from "../../../../shared/events/event.ts";
import { readEvents, readFeedHead } from "../../../../shared/events/feed-repository.ts";
import { deploymentOwner, type Job, jobList, parseJob } from "../../../../shared/jobs/job-repository.ts";
import { type Movement, storedMovement } from "../../../../shared/stock/movements/movement.ts";
import { movementPartition, weekAt } from "../../../../shared/stock/movements/movement-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { joined } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem, queryPages, queryRange } from "../../../../shared/store/dynamodb/reads.ts";
import { blockItems } from "../../../../shared/store/lists/block-list.ts";
import { countersTable } from "../../../../shared/store/lists/counters/counters.ts";
import { headKey } from "../../../../shared/store/lists/counters/nodes.ts";
import type { Delivery } from "../../../../shared/webhooks/delivery.ts";
import { deliveriesSince } from "../../../../shared/webhooks/delivery-repository.ts";
import { webhooksOf, withProgress } from "../../../../shared/webhooks/webhook-repository.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { id, optional, text, time } from "../../cli/fields.ts";
import { counted, listed } from "../../cli/result.ts";
import { readAccounts } from "../../set-up/accounts.ts";

/** Something that a call caused, and when (ISO 8601); null for what is still to come, or was not read. */
interface TraceStep {
  readonly at: string | null;
  readonly step: "job" | "movement" | "event" | "delivery";
  readonly record: string;
  readonly by: string | null;
  readonly says: string;
}

/** The jobs of a call, from the newest job back to a time. */
async function jobsOf(db: Database, requestId: string, since: string): Promise<readonly Job[]> {
  const found: Job[] = [];
  const head = await getItem(db, { table: countersTable, key: headKey(jobList, deploymentOwner) });
  for (let block = Number(head?.["block"] ?? -1); block >= 0; block -= 1)
    for await (const items of queryPages(db, { ...blockItems(jobList, block), direction: "desc" }, 100)) {
      const jobs = items.map(parseJob);
      found.push(...jobs.filter(({ request_id }) => request_id === requestId));
      if (jobs.some(({ queued_at }) => queued_at < since)) return found;
    }
  return found;
}

/** The events of a call in an account's feed, from the newest event back to a time. */
async function eventsOf(
  db: Database,
  accountId: number,
  requestId: string,
  since: string,
): Promise<readonly Event[]> {
  const head = await readFeedHead(db, accountId, new Date().toISOString());
  const found: Event[] = [];
  for (let before = head.sequence + 1; ; ) {
    let newest = "";
    const isWanted = ({ request_id, occurred_at }: Event): boolean => {
      newest = laterOf(newest, occurred_at);
      return request_id === requestId;
    };
    const page = await readEvents(db, accountId, { before, head, limit: 1000, isWanted });
    found.push(...page.events);
    if (page.isEnd || newest < since) return found;
    before = page.examined;
  }
}

const stockData = z.object({ product_id: z.int() });

/** The movements of a call: those of the products and times of its events. */
async function movementsOf(
  db: Database,
  requestId: string,
  events: readonly Event[],
): Promise<readonly Movement[]> {
  const places = new Map<string, { readonly pk: string; readonly at: string }>();
  for (const { type, data, occurred_at: at } of events) {
    if (type !== "stock.changed") continue;
    const pk = movementPartition(z.parse(stockData, data).product_id, weekAt(at));
    places.set(joined(pk, at), { pk, at });
  }
  const items = await Promise.all(
    [...places.values()].map(({ pk, at }) =>
      queryRange(db, { table: "inventory", pk, between: [at, `${at}~`] }),
    ),
  );
  const movements = items.flat().map((item) => z.parse(storedMovement, item));
  return movements.filter(({ request_id }) => request_id === requestId);
}

/** The deliveries of a call's events, and of what the call itself asked to send. */
async function deliverySteps(
  db: Database,
  accountId: number,
  requestId: string,
  events: readonly Event[],
  since: string,
): Promise<readonly TraceStep[]> {
  const [earliest = since] = events.map(({ occurred_at }) => occurred_at).toSorted();
  const eventIds = new Set(events.map((event) => event.id));
  const steps: TraceStep[] = [];
  for (const { webhook, progress } of await withProgress(db, await webhooksOf(db, accountId))) {
    const { webhook_id, types } = webhook;
    for await (const deliveries of deliveriesSince(db, webhook_id, earliest)) {
      const own = deliveries.filter((one) => one.request_id === requestId || eventIds.has(one.event_id));
      steps.push(...own.map(stepOfDelivery));
    }
    const ahead = events.filter(
      ({ type, sequence }) => sequence > progress.cursor && matchesType(types, type),
    );
    const state = webhook.active ? `at sequence ${progress.cursor} of the feed` : "switched off";
    for (const { sequence, type } of ahead)
      steps.push(unsent(webhook_id, `event ${sequence} (${type}) is not sent yet: the webhook is ${state}`));
  }
  return steps;
}

function unsent(webhookId: number, says: string): TraceStep {
  return { at: null, step: "delivery", record: `webhook ${webhookId}`, by: null, says };
}

const stepOfDelivery = (delivery: Delivery): TraceStep => {
  const { status, attempts, response_code, error, next_attempt_at } = delivery;
  const after = `${status} after ${counted(attempts, "attempt")}`;
  const answer = error ?? (response_code === null ? "" : `the receiver answered ${response_code}`);
  const next = next_attempt_at === null ? "" : `the next attempt is due ${next_attempt_at}`;
  return {
    at: delivery.last_attempt_at ?? delivery.created_at,
    step: "delivery",
    record: `webhook ${delivery.webhook_id}, ${delivery.delivery_id}`,
    by: null,
    says: [`${delivery.event_type} (${delivery.cause}) ${after}`, answer, next].filter(Boolean).join("; "),
  };
};

function stepsOfJob(job: Job): readonly TraceStep[] {
  const { kind, by, status, attempts, reason, finished_at } = job;
  const queued = { at: job.queued_at, step: "job", record: `job ${job.job_id}`, by } as const;
  const ended = `${status} after ${counted(attempts, "attempt")}`;
  const says = finished_at === null ? "not finished yet" : [ended, reason].filter(Boolean).join(": ");
  return [
    { ...queued, says: `${kind} queued` },
    { ...queued, at: finished_at, says },
  ];
}

const stepOfMovement = (moved: Movement): TraceStep => {
  const [[name, value] = ["", ""]] = Object.entries(moved.reference);
  const about = name === "" ? "" : `, ${name} ${value}`;
  return {
    at: moved.at,
    step: "movement",
    record: `product ${moved.product_id} in center ${moved.distribution_center_id}`,
    by: moved.by,
    says: `${moved.reason}${about}: on hand ${signed(moved.on_hand)}, reserved ${signed(moved.reserved)}`,
  };
};

const signed = (units: number): string => (units > 0 ? `+${units}` : String(units));

const stepOfEvent = ({ occurred_at, subject, by, type, sequence }: Event): TraceStep => ({
  at: occurred_at,
  step: "event",
  record: `${subject.kind}:${subject.id}`,
  by,
  says: `${type}, event ${sequence} of the account`,
});

const order = ["job", "movement", "event", "delivery"];

/** By time; what happened in the same millisecond, in the order of cause and effect. */
const inTurn = (left: TraceStep, right: TraceStep): number =>
  (left.at ?? "~").localeCompare(right.at ?? "~") || order.indexOf(left.step) - order.indexOf(right.step);

export const trace: Commands = [
  defineCommand({
    words: "trace <request-id>",
    summary: "Follows a call: its jobs, movements, events and deliveries, with their times",
    about: [
      "REQUEST-ID is the x-request-id of an answer. The command reads jobs and feeds from the newest record back to --since,",
      "the movements of the events that it finds, and the deliveries of the accounts' webhooks since then. A feed of 10,000 events",
      "takes some 150 read units. Without --account it reads the feeds of all accounts, and scans the table of accounts, which",
      "requires dynamodb:Scan. Changes that are not published yet have no events; `events lag` shows how far feeds are behind.",
    ],
    options: {
      "--account <id>": "only the feed and webhooks of this account",
      "--since <time>": "how far to look back, such as 2026-01-31T09:30:00Z (default: 24 hours)",
    },
    examples: [
      "trace JKJaXmPLvHcESHA= --account 100",
      "trace JKJaXmPLvHcESHA= --since 2026-01-31T09:30:00Z --json",
    ],
    values: z.object({ requestId: text, account: optional(id), since: optional(time) }),
    run: async ({ db }, { requestId, account, since = new Date(Date.now() - dayLength).toISOString() }) => {
      const accounts = account === undefined ? await readAccounts(db) : [{ account_id: account }];
      const steps: TraceStep[] = (await jobsOf(db, requestId, since)).flatMap(stepsOfJob);
      for (const { account_id } of accounts) {
        const events = await eventsOf(db, account_id, requestId, since);
        const movements = await movementsOf(db, requestId, events);
        const published = events.toSorted((left, right) => left.sequence - right.sequence);
        steps.push(...movements.map(stepOfMovement), ...published.map(stepOfEvent));
        steps.push(...(await deliverySteps(db, account_id, requestId, events, since)));
      }
      return listed(steps.toSorted(inTurn), `Nothing since ${since} names the call ${requestId}.`);
    },
  }),
];
