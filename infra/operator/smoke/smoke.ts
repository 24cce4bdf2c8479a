/**
 * The smoke test: tries a deployment end to end and removes what it created.
 *
 * 1. It creates an account and takes an order to the shipment, as clients and a picker would.
 * 2. It checks the order's events, the delivery of a webhook, and that the sweeper resends a lost message.
 * 3. It removes the account, also after a failure: before the checks of AWS, so that the test's records stay
 *    in the warehouse as briefly as possible.
 * 4. On AWS it checks schedules, permissions, log filters, metrics and alarms.
 *
 * `steps.ts` lists the steps. `Report.take` runs a step that later steps depend on, `Report.check` any other.
 */
import type { CommandContext } from "../cli/context.ts";
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
import { runOrderLife } from "./checks/order-life.ts";
import { expectPermissions } from "./checks/permissions.ts";
import { expectSchedules } from "./checks/schedules.ts";
import { removalCommand, removeTestAccount } from "./removal.ts";
import type { Run } from "./run.ts";
import { NotChecked, Report, type StepName, Stopped } from "./steps.ts";
import { createTestAccount, unusedId } from "./test-account.ts";

interface SmokeOptions extends Pick<CommandContext, "db" | "note" | "ifInterrupted"> {
  readonly url: string;
  readonly masterKey: string;
  /** The AWS deployment behind the URL; undefined if the service does not run on AWS. */
  readonly deployment: string | undefined;
  /** Undefined to skip the webhook. */
  readonly receiver: ReceiverOptions | undefined;
  readonly hasEvents: boolean;
  /** The seconds for which changes are batched before they are published. */
  readonly eventsWindow: number;
  readonly skipped: ReadonlySet<StepName>;
}

export type SmokeReport = Awaited<ReturnType<typeof smoke>>;

/** Runs all steps. An interrupted command prints how to remove the account. */
export async function smoke(options: SmokeOptions) {
  const { db, note, ifInterrupted } = options;
  const report = new Report(options.skipped, note);
  const accountId = await unusedId(db);
  const since = new Date();
  const manualRemoval = `If it is left behind, remove it with ${removalCommand(accountId)}`;
  note(`The test works in account ${accountId}. ${manualRemoval}`);
  const jobs: number[] = [];
  ifInterrupted(() => manualRemoval);
  try {
    await checkService(options, { report, jobs }, accountId);
  } finally {
    await report.check("removal", async () => {
      await removeTestAccount(db, { ...options, accountId, jobs });
    });
  }
  await checkDeployment(options, report, since);
  return { account_id: accountId, steps: report.finished() };
}

async function checkService(
  options: SmokeOptions,
  { report, jobs }: Pick<Run, "report" | "jobs">,
  accountId: number,
): Promise<void> {
  const { db, url, masterKey } = options;
  let webhook: RegisteredWebhook | undefined;
  try {
    const account = await report.take("set-up", () => createTestAccount(db, accountId));
    const run: Run = { db, url, masterKey, account, report, jobs };
    webhook = await register(run, options);
    const orderId = await runOrderLife(run);
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

async function register(
  run: Run,
  { receiver, hasEvents }: SmokeOptions,
): Promise<RegisteredWebhook | undefined> {
  if (receiver !== undefined && hasEvents)
    return run.report.take("webhook", () => registerWebhook(run, receiver));
  await run.report.check("webhook", async () => {
    throw new NotChecked("no receiver is set: add --listen or --receiver");
  });
  return undefined;
}

async function checkEvents(
  run: Run,
  { hasEvents }: SmokeOptions,
  orderId: number,
  webhook: RegisteredWebhook | undefined,
): Promise<void> {
  const check = (step: StepName, expectation: () => Promise<void>) =>
    run.report.check(step, async () => {
      if (!hasEvents) throw new NotChecked("events are off, by the setting events=off");
      await expectation();
    });
  await check("events", () => expectEvents(run, orderId));
  await check("delivery", () => expectDelivery(run, webhook));
}

async function checkDeployment({ deployment }: SmokeOptions, report: Report, since: Date): Promise<void> {
  const check = (step: StepName, expectation: (deployment: string) => Promise<void>) =>
    report.check(step, async () => {
      if (deployment === undefined) throw new NotChecked("requires a deployment on AWS");
      await expectation(deployment);
    });
  await check("schedules", expectSchedules);
  await check("permissions", expectPermissions);
  await check("log-filters", expectLogFilters);
  await check("metrics", (name) => expectMetrics(name, since));
  await check("alarms", expectNoAlarm);
}
