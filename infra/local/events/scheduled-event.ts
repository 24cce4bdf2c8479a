import { randomUUID } from "node:crypto";
import { place } from "../deployment-place.ts";

/** The event of a rule that runs by the clock. */
export const scheduledEvent = (ruleArn: string) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: place.account,
  time: `${new Date().toISOString().slice(0, 19)}Z`,
  region: place.region,
  resources: [ruleArn],
  detail: {},
});
