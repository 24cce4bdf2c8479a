/** The steps of a smoke test, and the report of them. */
import { setTimeout as sleep } from "node:timers/promises";

/** What a step shows, and what to do if it fails. */
interface Step {
  readonly shows: string;
  readonly whatToDo: string;
}

/** The commands of the operator that help with jobs. */
const jobHelp = "operator jobs list --status failed shows the reasons";

/** All steps, in the order in which they are taken. */
export const steps = {
  "set-up": {
    shows: "the tables take a throw-away account, its user and its bin",
    whatToDo: "See that the credentials may read and write the deployment's tables.",
  },
  webhook: {
    shows: "a webhook is registered for the receiver",
    whatToDo:
      "The receiver must be an https:// URL that the internet reaches. See the log of oms/webhooks/create-webhook.",
  },
  product: {
    shows: "a product is created",
    whatToDo: "See that the URL is the deployment's, and the log of oms/inventory/products/create-products.",
  },
  recount: {
    shows: "a recount is accepted, and a worker applies it from its queue",
    whatToDo: `See that MASTER_KEY is the warehouse's key, and the log of jobs/apply-recount; ${jobHelp}.`,
  },
  order: {
    shows: "an order is created, and reserves its goods",
    whatToDo: "See the log of oms/orders/create-orders.",
  },
  retry: {
    shows: "a retry with the same Idempotency-Key is given the first answer, and creates nothing",
    whatToDo: "Do not send traffic to the deployment. See the log of oms/orders/create-orders.",
  },
  "sign-in": {
    shows: "a warehouse user signs in by password and one-time code",
    whatToDo:
      "See the logs of v2/mobile/login and v2/mobile/verify-code, and that this machine's clock is right.",
  },
  claim: {
    shows: "a picker is given the order to pick",
    whatToDo:
      "See the log of v2/mobile/get-orders-to-pick. An order of another account is given back at the end.",
  },
  picks: {
    shows: "picked goods leave their bin",
    whatToDo: "See the log of v2/mobile/update-pick-log.",
  },
  weight: {
    shows: "a weight is accepted, and a worker applies it from its queue",
    whatToDo: `See the log of jobs/apply-weight; ${jobHelp}.`,
  },
  shipment: {
    shows: "quality control ships the order, and its goods leave the stock",
    whatToDo: "See the log of v2/mobile/check-shippings.",
  },
  revert: {
    shows: "another order is claimed and picked, and a worker reverts it from its queue",
    whatToDo: `See the log of jobs/apply-revert; ${jobHelp}.`,
  },
  events: {
    shows: "the feed has the order's events, in order and without a gap",
    whatToDo: "See the log of events/publish-events. Add --no-events if the deployment has events=off.",
  },
  delivery: {
    shows: "the receiver is sent the order's events",
    whatToDo: "See the log of jobs/send-webhooks, and whether the receiver answers 2xx within 10 seconds.",
  },
  sweeper: {
    shows: "the sweeper finds a job whose message was lost, and sends it again",
    whatToDo: "See the log of jobs/sweep-jobs, and whether its rule in EventBridge is enabled.",
  },
  removal: {
    shows: "everything that the test made is removed",
    whatToDo: "Run operator smoke --remove with the account that is named at the beginning.",
  },
  schedules: {
    shows: "every schedule ran within the last minutes, and none failed",
    whatToDo: "See whether their rules in EventBridge are enabled, and their logs for lines of level ERROR.",
  },
  permissions: {
    shows: "dynamodb:LeadingKeys allows and refuses each verb, also in transactions and batches",
    whatToDo:
      "Do not send traffic to the deployment: functions may be refused what they need, or reach what they must not. See infra/constructs/grants.ts.",
  },
  metrics: {
    shows: "metrics of the calls arrive in CloudWatch",
    whatToDo:
      "See whether the functions' logs have lines with _aws, and run this again: CloudWatch may be late.",
  },
  "log-filters": {
    shows: "the metric filters find lines of errors and refusals, and no others",
    whatToDo:
      "Compare the filters' patterns (infra/constructs/releases.ts, stage-stack.ts) with the lines in the logs.",
  },
  alarms: {
    shows: "no alarm of the deployment is on",
    whatToDo: "Read the alarms' descriptions: each says what to do.",
  },
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof steps;

const isStepName = (name: string): name is StepName => Object.hasOwn(steps, name);

export const stepNames: readonly StepName[] = Object.keys(steps).filter(isStepName);

/** How a step ended. */
export interface StepResult {
  readonly step: StepName;
  readonly state: "ok" | "failed" | "not_checked";
  /** What went wrong, or why it was not checked; empty for a step that passed. */
  readonly detail: string;
  readonly what_to_do: string | null;
}

/** Thrown by a step that can't be taken where the test runs. The message says why. */
export class NotChecked extends Error {}

/** Ends a run of steps of which each builds on the one before. */
export class Stopped extends Error {}

/** Collects how steps ended, and notes each at once. */
export class Report {
  readonly #results: StepResult[] = [];
  readonly #skipped: ReadonlySet<StepName>;
  readonly #note: (line: string) => void;

  constructor(skipped: ReadonlySet<StepName>, note: (line: string) => void) {
    this.#skipped = skipped;
    this.#note = note;
  }

  /** Takes a step on which no other builds. It never throws. */
  async check(step: StepName, run: () => Promise<void>): Promise<void> {
    try {
      if (this.#skipped.has(step)) throw new NotChecked("skipped by --skip");
      await run();
      this.#add(step, "ok", "");
    } catch (error) {
      if (error instanceof NotChecked) this.#add(step, "not_checked", error.message);
      else this.#add(step, "failed", textOf(error));
    }
  }

  /** Takes a step on which later ones build. @throws Stopped if it fails */
  async take<T>(step: StepName, run: () => Promise<T>): Promise<T> {
    try {
      const value = await run();
      this.#add(step, "ok", "");
      return value;
    } catch (error) {
      this.#add(step, "failed", textOf(error));
      throw new Stopped(step);
    }
  }

  /** All steps with how they ended, in their order. Those that were not reached are not checked. */
  finished(): readonly StepResult[] {
    const failed = this.#results.find(({ state }) => state === "failed");
    const reason =
      failed === undefined ? "not reached" : `not reached, because the step ${failed.step} failed`;
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

/** A step in one line, and what to do in another. */
export function lineOf({ step, state, detail, what_to_do }: StepResult): string {
  const line = `${words[state].padEnd(12)}${step}: ${state === "ok" ? steps[step].shows : detail}`;
  return what_to_do === null ? line : `${line}\n${" ".repeat(12)}${what_to_do}`;
}

/**
 * Looks again and again until something is found.
 * @throws if it is not found within so many seconds
 */
export async function eventually<T>(
  what: string,
  seconds: number,
  look: () => Promise<T | undefined>,
  pauseMs = 500,
): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`${what}: not within ${seconds} seconds`);
    await sleep(pauseMs);
  }
}
