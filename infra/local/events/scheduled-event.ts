import { randomUUID } from "node:crypto";
import { awsEnvironment } from "../aws-environment.ts";

/** The event of a rule that runs on a schedule. */
export const scheduledEvent = (ruleArn: string) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: awsEnvironment.account,
  time: `${new Date().toISOString().slice(0, 19)}Z`,
  region: awsEnvironment.region,
  resources: [ruleArn],
  detail: {},
});
