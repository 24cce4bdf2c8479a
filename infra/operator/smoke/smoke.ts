/** The smoke test of a deployment: everything that it does, in order. */
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import {
  expectDelivery,
  expectEvents,
  expectSwept,
  loseMessage,
  type ReceiverOptions,
  type RegisteredWebhook,
  registerWebhook,
} from "./checks/events.ts";
import { expectLogFilters, expectMetrics, expectNoAlarm } from "./checks/observability.ts";
import { liveThrough } from "./checks/order-life.ts";
import { expectPermissions } from "./checks/permissions.ts";
import { expectSchedules } from "./checks/schedules.ts";
import { withLastWords } from "./interruption.ts";
import { removalCommand, removeThrowAway } from "./removal.ts";
import type { Run } from "./run.ts";
import { NotChecked, Report, type StepName, type StepResult, Stopped } from "./steps.ts";
import { giveBackStrays } from "./strays.ts";
import { freeId, setUp } from "./throw-away.ts";

/** What an operator asks of a smoke test. */
export interface SmokeOptions {
  readonly db: Database;
  readonly url: string;
  readonly masterKey: string;
  /** The AWS deployment behind the URL; undefined for what runs elsewhere. */
  readonly deployment: string | undefined;
  /** Undefined if no webhook is to be tried. */
  readonly receiver: ReceiverOptions | undefined;
  readonly hasEvents: boolean;
  /** Seconds for which changes are gathered before events are made of them. */
  readonly eventsWindow: number;
  readonly skipped: ReadonlySet<StepName>;
  /** Whether the account stays. */
  readonly keep: boolean;
  readonly note: (line: string) => void;
}

export interface SmokeReport {
  readonly account_id: number;
  readonly steps: readonly StepResult[];
}

/**
 * Takes all steps. What it made is removed however they end; a process that a signal ends says how to remove
 * it by hand. The removal comes before what only asks AWS, so that nothing of the test stays in the warehouse
 * for long.
 */
export async function smoke(options: SmokeOptions): Promise<SmokeReport> {
  const { db, note } = options;
  const report = new Report(options.skipped, note);
  const accountId = await freeId(db);
  const since = new Date();
  const byHand = `If it is left behind, remove it by ${removalCommand(accountId)}`;
  note(`The test works in account ${accountId}. ${byHand}`);
  const jobs: number[] = [];
  await withLastWords(
    () => note(`Interrupted. ${byHand}`),
    async () => {
      try {
        await tryOrderLife(options, { accountId, report, jobs });
      } finally {
        await report.check("removal", () => leaveNothing(options, accountId, jobs));
      }
    },
  );
  await checkDeployment(options, report, since);
  return { account_id: accountId, steps: report.finished() };
}

/** Removes the account, unless the operator keeps it. Orders of other accounts are given back in any case. */
async function leaveNothing(
  { db, keep, eventsWindow, note }: SmokeOptions,
  accountId: number,
  jobs: readonly number[],
): Promise<void> {
  if (keep) {
    await giveBackStrays(db, accountId, note);
    throw new NotChecked(`kept: remove it by ${removalCommand(accountId)}`);
  }
  await removeThrowAway(db, { accountId, jobs, eventsWindow, note });
}

interface Begun {
  readonly accountId: number;
  readonly report: Report;
  readonly jobs: number[];
}

async function tryOrderLife(options: SmokeOptions, { accountId, report, jobs }: Begun): Promise<void> {
  const { db, url, masterKey } = options;
  let webhook: RegisteredWebhook | undefined;
  try {
    const account = await report.take("set-up", () => setUp(db, accountId));
    const run: Run = { db, url, masterKey, account, report, jobs };
    webhook = await register(run, options);
    const { orderId } = await liveThrough(run);
    const [lost] = await Promise.allSettled([loseMessage(run, orderId)]);
    await checkEvents(run, options, orderId, webhook);
    await report.check("sweeper", async () => {
      if (lost.status === "rejected") throw lost.reason;
      await expectSwept(run, lost.value);
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await webhook?.inbox?.close();
  }
}

/** Checks that ask AWS about the deployment, and not the service. */
async function checkDeployment({ deployment }: SmokeOptions, report: Report, since: Date): Promise<void> {
  const ofAws = (check: (name: string) => Promise<void>) => async () => {
    if (deployment === undefined) throw new NotChecked("not checked here: it needs a deployment on AWS");
    await check(deployment);
  };
  await report.check("schedules", ofAws(expectSchedules));
  await report.check("permissions", ofAws(expectPermissions));
  await report.check("log-filters", ofAws(expectLogFilters));
  await report.check(
    "metrics",
    ofAws((name) => expectMetrics(name, since)),
  );
  await report.check("alarms", ofAws(expectNoAlarm));
}

async function register(
  run: Run,
  { receiver, hasEvents }: SmokeOptions,
): Promise<RegisteredWebhook | undefined> {
  if (receiver !== undefined && hasEvents)
    return run.report.take("webhook", () => registerWebhook(run, receiver));
  await run.report.check("webhook", async () => {
    throw new NotChecked("no receiver was named: add --listen or --receiver");
  });
  return undefined;
}

async function checkEvents(
  run: Run,
  { hasEvents }: SmokeOptions,
  orderId: number,
  webhook: RegisteredWebhook | undefined,
): Promise<void> {
  const orNot = (check: () => Promise<void>) => async () => {
    if (!hasEvents) throw new NotChecked("there are no events, by the setting events=off or by --no-events");
    await check();
  };
  await run.report.check(
    "events",
    orNot(() => expectEvents(run, orderId)),
  );
  await run.report.check(
    "delivery",
    orNot(() => expectDelivery(run, webhook)),
  );
}
