/** What an operator configures, as context values: `-c name=value`, or the `context` of `cdk.json`. */
import type { App } from "aws-cdk-lib";
import * as z from "zod";
import { networksIn } from "../shared/http/pages/networks.ts";
import { tableNames, tableSchemas } from "../shared/store/tables.ts";
import { domainName, edge, firewall, written } from "./edge-settings.ts";

/** Letters and digits only, because the dashboard finds the functions by this first word of their names. */
const deployment = z
  .string()
  .regex(/^[a-z][a-z0-9]{0,19}$/, "must be 1 to 20 lowercase letters and digits, beginning with a letter");

const restoredTable = z.strictObject({
  /** The name of the table that serves in place of the deployment's own. */
  name: z.string().regex(/^[\w.-]{3,255}$/, "must be the name of a table"),
  /** The ARN of its stream, which has to be enabled on a restored table. */
  stream: z.optional(z.string().startsWith("arn:", "must be an ARN")),
});
export type RestoredTable = z.output<typeof restoredTable>;

const restoredTables = z.strictObject(
  Object.fromEntries(
    tableNames.map((name) => [
      name,
      z.optional(
        restoredTable.refine(
          ({ stream }) => (stream !== undefined) === (tableSchemas[name].changes === true),
          tableSchemas[name].changes === true
            ? "needs the ARN of its stream, because functions consume its changes"
            : "needs no stream",
        ),
      ),
    ]),
  ),
);

const region = z.string().regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, "must be a region such as eu-west-1");

const replicas = z
  .strictObject({
    /** The deployment's own region. The CDK needs it to replicate tables. */
    home: region,
    /** The regions to which every table is replicated. */
    others: z.array(region).min(1, "must name at least one region"),
  })
  .refine(({ home, others }) => new Set([home, ...others]).size === others.length + 1, {
    path: ["others"],
    message: "must name each region once, without the home region",
  });

/** A custom domain, and its certificate, which must be in the deployment's region. */
export interface OwnDomain {
  readonly domainName: string;
  readonly certificateArn: string;
}

const certificateArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, "must be the ARN of a certificate");

/** Limited, because a function's environment holds 4 KB. */
const maxOrigins = 20;

/** The origins whose pages may call the service, separated by commas; `*` for all. */
const origins = z
  .string()
  .default("")
  .transform((list) =>
    list
      .split(",")
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ""),
  )
  .refine((list) => list.length <= maxOrigins, `must name at most ${maxOrigins} origins`)
  .refine((list) => list.every((origin) => origin === "*" || isOrigin(origin)), {
    error: "must be * or origins like https://shop.example.com, with commas between",
  });

/**
 * Browsers send an origin as scheme and host in lower case, with a port only if it is not the scheme's
 * default.
 */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text && text.length <= 120;

function areNetworks(text: string): boolean {
  try {
    networksIn(text);
    return true;
  } catch {
    return false;
  }
}

const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z.enum(names, `must be one of ${names.join(", ")}`).default(names[0]);

const settings = z.object({
  deployment: deployment.default("oiw"),
  alarmEmail: z.string().optional(),
  /** The monthly costs of the AWS account, in dollars, at which operators are notified. */
  budget: z.coerce.number("must be a number of dollars").min(1, "must be at least 1 dollar").optional(),
  internalNetworks: z
    .string()
    .default("")
    .refine(areNetworks, "must be networks such as 10.0.0.0/8, with commas between"),
  /** The custom domain by which clients reach the service, instead of API Gateway's domain. */
  domainName: domainName.optional(),
  certificateArn: certificateArn.optional(),
  /**
   * Whether the service also answers at API Gateway's own address. Switch it off once the domain leads to the
   * service.
   */
  gatewayAddress: oneOf("on", "off"),
  corsOrigins: origins,
  /** Whether a synthetic monitor calls the service on a schedule, with an alarm if a call fails. */
  monitor: oneOf("off", "on"),
  /** Whether X-Ray traces calls. It charges for each. */
  tracing: oneOf("off", "on"),
  /**
   * How new code of functions that write orders, pick or do jobs is rolled out. `canary` sends it a tenth of
   * the calls first and rolls it back if they fail; `all-at-once` switches all calls immediately.
   */
  deploys: oneOf("canary", "all-at-once"),
  /** Whether changes are published as events. That costs about as much as the calls that make the changes. */
  events: oneOf("on", "off"),
  /**
   * Seconds for which changes are batched before they are published. A longer window makes fewer and larger
   * writes, and later events.
   */
  eventsWindow: z.coerce
    .number("must be a number of seconds")
    .int("must be a whole number of seconds")
    .min(0, "must be 0 seconds or more")
    .max(60, "must be 60 seconds or less")
    .default(0),
  /**
   * Restored tables that serve in place of the deployment's own, by the names of the tables that they
   * replace.
   */
  restoredTables: written(restoredTables).default({}),
  /** Regions with replicas of all tables, which DynamoDB keeps in sync. */
  replicas: written(replicas).optional(),
  /**
   * `daily` has AWS Backup keep a daily backup of each table. Point-in-time recovery covers the last 35 days
   * either way.
   */
  backups: oneOf("off", "daily"),
  /** The ARN of a backup vault in another region or account, to which each backup is copied. */
  backupCopies: z.optional(z.string().regex(/^arn:aws[\w-]*:backup:/, "must be the ARN of a backup vault")),
  /** The rate rules of the web ACL for CloudFront, which gets a stack of its own in us-east-1. */
  firewall: written(firewall).optional(),
  /** The CloudFront distribution that all calls come through. */
  edge: written(edge).optional(),
});

/** The names of all settings. A blank value counts as not set. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

const checked = settings
  .refine(({ backups, backupCopies }) => backupCopies === undefined || backups === "daily", {
    path: ["backupCopies"],
    message: "needs backups=daily",
  })
  .refine(({ gatewayAddress, domainName }) => gatewayAddress === "on" || domainName !== undefined, {
    path: ["gatewayAddress"],
    message: "can be off only with a domainName, because clients could not reach the service otherwise",
  })
  .refine(({ gatewayAddress, edge: stated }) => gatewayAddress === "on" || stated === undefined, {
    path: ["gatewayAddress"],
    message: "must be on with an edge, because CloudFront calls the service at this address",
  })
  .refine(({ domainName, certificateArn }) => domainName === undefined || certificateArn !== undefined, {
    path: ["certificateArn"],
    message: "is required with a domainName",
  })
  .refine(({ domainName, certificateArn }) => certificateArn === undefined || domainName !== undefined, {
    path: ["domainName"],
    message: "is required with a certificateArn",
  });
export type Settings = z.output<typeof checked>;

/** The custom domain, if the settings name one. */
export const ownDomain = ({ domainName, certificateArn }: Settings): OwnDomain | undefined =>
  domainName === undefined || certificateArn === undefined ? undefined : { domainName, certificateArn };

/**
 * Reads the settings.
 * @throws if one is invalid, so that a mistake is found before anything is deployed
 */
export const settingsOf = (app: App): Settings => settingsIn((name) => app.node.tryGetContext(name));

/** The end of a sentence about an invalid value, for issues that the schemas do not describe. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return `has the unknown field ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined ? "is missing" : `must be of the type ${issue.expected}`;
}

/** Reads the settings from context values by their names. @throws as `settingsOf` */
export function settingsIn(contextValue: (name: string) => unknown): Settings {
  const stated = Object.entries(settings.shape).map(([name]) => {
    const value = contextValue(name);
    return [name, value === "" ? undefined : value] as const;
  });
  const { success, data, error } = checked.safeParse(Object.fromEntries(stated), { error: inWords });
  if (success) return data;
  throw new Error(
    error.issues.map(({ path, message }) => `The setting ${path.join(".")} ${message}.`).join("\n"),
  );
}
