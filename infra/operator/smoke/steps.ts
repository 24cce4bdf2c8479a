/** The steps of a smoke test, and the report about them. */
import { setTimeout as sleep } from "node:timers/promises";

const jobHelp = "run operator jobs list --status failed for the reasons";

/** What each step verifies, and what to do if it fails. */
export const steps = {
  "set-up": {
    verifies: "a test account, its user and its bin are created",
    whatToDo: "Check that the credentials can read and write the deployment's tables.",
  },
  webhook: {
    verifies: "a webhook is registered for the receiver",
    whatToDo: "The receiver must be a public https:// URL. See the log of oms/webhooks/create-webhook.",
  },
  product: {
    verifies: "a product is created",
    whatToDo:
      "Check that the URL is the deployment's. See the log of oms/inventory/products/create-products.",
  },
  recount: {
    verifies: "a recount is accepted, and a worker applies it",
    whatToDo: `Check that MASTER_KEY is the warehouse's key. See the log of jobs/apply-recount, and ${jobHelp}.`,
  },
  order: {
    verifies: "an order is created and reserves its goods",
    whatToDo: "See the log of oms/orders/create-orders.",
  },
  retry: {
    verifies: "a retry with the same Idempotency-Key gets the first response and creates nothing",
    whatToDo: "Do not send traffic to the deployment. See the log of oms/orders/create-orders.",
  },
  "sign-in": {
    verifies: "a warehouse user signs in with password and one-time code",
    whatToDo: "See the logs of v2/mobile/login and v2/mobile/verify-code, and check this machine's clock.",
  },
  claim: {
    verifies: "a picker is given the order to pick",
    whatToDo:
      "See the log of v2/mobile/get-orders-to-pick. The test returns orders of other accounts at the end.",
  },
  picks: {
    verifies: "picked goods leave their bin",
    whatToDo: "See the log of v2/mobile/update-pick-log.",
  },
  weight: {
    verifies: "a weight is accepted, and a worker applies it",
    whatToDo: `See the log of jobs/apply-weight, and ${jobHelp}.`,
  },
  shipment: {
    verifies: "quality control ships the order, and the stock decreases",
    whatToDo: "See the log of v2/mobile/check-shippings.",
  },
  events: {
    verifies: "the feed has the order's events in order and without gaps",
    whatToDo: "See the log of events/publish-events. Add -c events=off if the deployment has that.",
  },
  delivery: {
    verifies: "the receiver gets the order's events",
    whatToDo:
      "See the log of jobs/send-webhooks, and check that the receiver responds with 2xx within 10 seconds.",
  },
  sweeper: {
    verifies: "the sweeper resends the lost message of a job",
    whatToDo: "See the log of jobs/sweep-jobs, and check that its EventBridge rule is enabled.",
  },
  removal: {
    verifies: "everything that the test created is removed",
    whatToDo: "Run operator smoke --remove with the account that the test printed first.",
  },
  schedules: {
    verifies: "every schedule ran recently, and none failed",
    whatToDo: "Check that their EventBridge rules are enabled, and see their logs for lines of level ERROR.",
  },
  permissions: {
    verifies: "dynamodb:LeadingKeys allows and denies each verb, also in transactions and batches",
    whatToDo:
      "Do not send traffic to the deployment: functions may lack permissions, or have too many. See infra/constructs/grants.ts.",
  },
  metrics: {
    verifies: "the requests are counted in CloudWatch",
    whatToDo:
      "Check that the functions' logs have lines with _aws, and run the test again: CloudWatch can be late.",
  },
  "log-filters": {
    verifies: "the metric filters match errors and rejected requests, and nothing else",
    whatToDo:
      "Compare the filters' patterns (infra/constructs/releases.ts, stage-stack.ts) with the lines in the logs.",
  },
  alarms: {
    verifies: "no alarm of the deployment is in ALARM",
    whatToDo: "See the alarms' descriptions, which say what to do.",
  },
} as const;

export type StepName = keyof typeof steps;

const isStepName = (name: string): name is StepName => Object.hasOwn(steps, name);

const stepNames: readonly StepName[] = Object.keys(steps).filter(isStepName);

interface StepResult {
  readonly step: StepName;
  readonly state: "ok" | "failed" | "not_checked";
  /** The error, or why the step was not checked; empty if the step passed. */
  readonly detail: string;
  readonly what_to_do: string | null;
}

/** A step throws this if it can't run in this environment. The message says why. */
export class NotChecked extends Error {}

/** Ends the steps that depend on a failed one. */
export class Stopped extends Error {}

/** Collects the outcomes of steps, and prints each at once. */
export class Report {
  readonly #results: StepResult[] = [];
  readonly #skipped: ReadonlySet<StepName>;
  readonly #note: (line: string) => void;

  constructor(skipped: ReadonlySet<StepName>, note: (line: string) => void) {
    this.#skipped = skipped;
    this.#note = note;
  }

  /** Runs a step that no later step depends on. Never throws. */
  async check(step: StepName, run: () => Promise<void>): Promise<void> {
    await this.take(step, run).catch(() => undefined);
  }

  /** Runs a step that later steps depend on. @throws Stopped if it fails, or is not checked */
  async take<T>(step: StepName, run: () => Promise<T>): Promise<T> {
    try {
      if (this.#skipped.has(step)) throw new NotChecked("skipped by --skip");
      const value = await run();
      this.#add(step, "ok", "");
      return value;
    } catch (error) {
      this.#add(step, error instanceof NotChecked ? "not_checked" : "failed", textOf(error));
      throw new Stopped(step);
    }
  }

  /** The outcomes of all steps, in order. Steps that were not reached are not checked. */
  finished(): readonly StepResult[] {
    const failed = this.#results.find(({ state }) => state === "failed");
    const reason = `not reached${failed === undefined ? "" : `, because the step ${failed.step} failed`}`;
    return stepNames.map(
      (step) => this.#results.find((one) => one.step === step) ?? resultOf(step, "not_checked", reason),
    );
  }

  #add(step: StepName, state: StepResult["state"], detail: string): void {
    const result = resultOf(step, state, detail);
    this.#results.push(result);
    this.#note(lineOf(result));
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const resultOf = (step: StepName, state: StepResult["state"], detail: string): StepResult => ({
  step,
  state,
  detail,
  what_to_do: state === "failed" ? steps[step].whatToDo : null,
});

const words: Readonly<Record<StepResult["state"], string>> = {
  ok: "ok",
  failed: "FAILED",
  not_checked: "not checked",
};

/** The outcome in one line; for a failed step, what to do in a second line. */
export function lineOf({ step, state, detail, what_to_do }: StepResult): string {
  const line = `${words[state].padEnd(12)}${step}: ${state === "ok" ? steps[step].verifies : detail}`;
  return what_to_do === null ? line : `${line}\n${" ".repeat(12)}${what_to_do}`;
}

/** Polls until a condition is met. @throws at the timeout, with `what` in the message */
export async function pollUntil(
  what: string,
  timeoutSeconds: number,
  isMet: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (!(await isMet())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutSeconds} seconds`);
    await sleep(500);
  }
}
