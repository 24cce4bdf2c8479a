/**
 * What an operator decides about a deployment, as context values: `-c name=value`, or the `context` of
 * `cdk.json`.
 */
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
  /** The ARN of its stream, which a restored table has to be given. */
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
    /** The region of the deployment itself. The CDK has to know it where tables are copied. */
    home: region,
    /** The regions that every table is copied to. */
    others: z.array(region).min(1, "must name at least one region"),
  })
  .refine(({ home, others }) => new Set([home, ...others]).size === others.length + 1, {
    path: ["others"],
    message: "must name each region once, and not the home",
  });

/** A domain of the operator's, and the certificate for it, which lies in the region of the deployment. */
export interface OwnDomain {
  readonly domainName: string;
  readonly certificateArn: string;
}

const certificateArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, "must be the ARN of a certificate");

/** The most origins: an environment has 4 KB. */
const maxOrigins = 20;

/** The origins whose pages may call the service, with commas between; `*` for all. */
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

/** Browsers send an origin as a scheme and a host in lower case, with a port that is not the scheme's own. */
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
  /** Dollars a month that the AWS account may cost before operators are notified. */
  budget: z.coerce.number("must be a number of dollars").min(1, "must be at least 1 dollar").optional(),
  internalNetworks: z
    .string()
    .default("")
    .refine(areNetworks, "must be networks such as 10.0.0.0/8, with commas between"),
  /** The domain that clients reach the service by, in place of that of API Gateway. */
  domainName: domainName.optional(),
  certificateArn: certificateArn.optional(),
  /**
   * Whether API Gateway's own address answers as well. Switch it off once the domain leads to the service.
   */
  gatewayAddress: oneOf("on", "off"),
  corsOrigins: origins,
  /** Whether a function calls the service by the clock, as a client does, and an alarm tells if it fails. */
  monitor: oneOf("off", "on"),
  /** Whether calls are traced by X-Ray, which charges for each. */
  tracing: oneOf("off", "on"),
  /**
   * How new code comes to serve: `canary` lets a tenth of the calls of functions that write orders, pick or
   * do jobs try it first, and takes it back where these fail. `all-at-once` has it serve everything from the
   * beginning.
   */
  deploys: oneOf("canary", "all-at-once"),
  /** Whether changes become events, which cost about as much as the calls that make the changes. */
  events: oneOf("on", "off"),
  /**
   * Seconds for which changes are gathered before events are made of them: fewer and larger writes, by later
   * events.
   */
  eventsWindow: z.coerce
    .number("must be a number of seconds")
    .int("must be a whole number of seconds")
    .min(0, "must be 0 seconds or more")
    .max(60, "must be 60 seconds or less")
    .default(0),
  /** Tables that were restored and serve in place of the deployment's own, by what they keep. */
  restoredTables: written(restoredTables).default({}),
  /** Regions with copies of all tables, which DynamoDB keeps in step. */
  replicas: written(replicas).optional(),
  /**
   * `daily` has AWS Backup keep a copy of each day, beside the restores to any second of the last 35 days.
   */
  backups: oneOf("off", "daily"),
  /** The ARN of a backup vault in another region or account, to which each backup is copied. */
  backupCopies: z.optional(z.string().regex(/^arn:aws[\w-]*:backup:/, "must be the ARN of a backup vault")),
  /** The rate rules of the web ACL for CloudFront, which gets a stack of its own in us-east-1. */
  firewall: written(firewall).optional(),
  /** The CloudFront distribution that all calls come through. */
  edge: written(edge).optional(),
});

/** What may be stated of a deployment. A blank value counts as not stated. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

const checked = settings
  .refine(({ backups, backupCopies }) => backupCopies === undefined || backups === "daily", {
    path: ["backupCopies"],
    message: "needs backups=daily",
  })
  .refine(({ gatewayAddress, domainName }) => gatewayAddress === "on" || domainName !== undefined, {
    path: ["gatewayAddress"],
    message: "needs a domainName: without one, nothing would answer",
  })
  .refine(({ gatewayAddress, edge: stated }) => gatewayAddress === "on" || stated === undefined, {
    path: ["gatewayAddress"],
    message: "must be on beside an edge, which reaches the service by it",
  })
  .refine(({ domainName, certificateArn }) => domainName === undefined || certificateArn !== undefined, {
    path: ["certificateArn"],
    message: "is missing, which a domainName needs",
  })
  .refine(({ domainName, certificateArn }) => certificateArn === undefined || domainName !== undefined, {
    path: ["domainName"],
    message: "is missing, which a certificateArn is for",
  });
export type Settings = z.output<typeof checked>;

/** The domain that the settings name, if any. */
export const ownDomain = ({ domainName, certificateArn }: Settings): OwnDomain | undefined =>
  domainName === undefined || certificateArn === undefined ? undefined : { domainName, certificateArn };

/**
 * Reads the settings.
 * @throws where one makes no sense, so that a slip is found before anything is deployed
 */
export const settingsOf = (app: App): Settings => settingsIn((name) => app.node.tryGetContext(name));

/** What is wrong with a value whose schema does not say it, as the end of a sentence. */
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
