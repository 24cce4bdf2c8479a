/** The functions and settings of the apps that show what settings do. */
import type { FunctionContract } from "../../../shared/runtime/contract.ts";
import { type Context, endpoint, type Functions, few, nothing } from "./small-apps.ts";

const page: FunctionContract = {
  type: "page",
  summary: "A page",
  routes: [{ method: "GET", path: "/page" }],
  document: "all",
  parts: [],
  networks: true,
  ...nothing,
};
/** A function of each kind that a setting changes. */
export const functions: Functions = {
  ...few,
  "things/write": endpoint(1),
  "things/read": endpoint(2, "read"),
  "jobs/send": { type: "worker", job: "webhook", messages: "wake-ups", ...nothing },
  "docs/page": page,
  "monitor/call": { type: "schedule", everyMinutes: 5, monitors: true, ...nothing },
};

export const vault = "arn:aws:backup:eu-central-1:111122223333:backup-vault:far-away";
export const certificateArn =
  "arn:aws:acm:eu-west-1:123456789012:certificate/0f1e2d3c-aaaa-bbbb-cccc-1234567890ab";
export const domain = { domainName: "api.example.com", certificateArn };
export const replicas = { home: "eu-west-1", others: ["eu-central-1"] };

/** Tables that serve in place of the deployment's own. */
const restoredTables = {
  orders: {
    name: "orders-restored",
    stream: "arn:aws:dynamodb:eu-west-1:111122223333:table/orders-restored/stream/2026-11-22T00:00:00.000",
  },
  directory: { name: "directory-restored" },
};

// Settings do not touch each other, so two apps have all that there are.
export const stated: Context = {
  deployment: "trial",
  alarmEmail: "operator@example.com",
  budget: "500",
  monitor: "on",
  tracing: "on",
  internalNetworks: "10.0.0.0/8,fd00::/8",
  corsOrigins: "https://shop.example.com, http://localhost:5173",
  deploys: "all-at-once",
  backups: "daily",
  backupCopies: vault,
  restoredTables,
  ...domain,
};
export const otherwise: Context = {
  tracing: "off",
  backups: "daily",
  replicas: JSON.stringify(replicas),
  gatewayAddress: "off",
  ...domain,
};
