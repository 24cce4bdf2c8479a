import { randomUUID } from "node:crypto";
import type { ScheduleDefinition } from "../assembly/sources.ts";
import { place } from "../deployment-place.ts";

/** Calls a function by the clock, as an EventBridge rule does. */
export class Schedule {
  readonly #definition: ScheduleDefinition;
  readonly #invoke: (event: unknown) => Promise<string>;
  #timer: NodeJS.Timeout | undefined;

  constructor(definition: ScheduleDefinition, invoke: (event: unknown) => Promise<string>) {
    this.#definition = definition;
    this.#invoke = invoke;
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      // A failed run is in the log. The next run comes by itself.
      this.run().catch(() => undefined);
    }, this.#definition.everyMilliseconds);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async run(): Promise<void> {
    await this.#invoke(scheduledEvent(this.#definition.ruleArn));
  }
}

/** The event of a rule that runs by the clock. */
export const scheduledEvent = (ruleArn: string, at = new Date()) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: place.account,
  time: `${at.toISOString().slice(0, 19)}Z`,
  region: place.region,
  resources: [ruleArn],
  detail: {},
});
