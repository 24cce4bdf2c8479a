/**
 * Which tables and queues a command uses: those of the local runtime, of environment variables, or of a
 * deployment.
 */

import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { invalid } from "../../../shared/common/problem.ts";
import { layouts } from "../../../shared/runtime/data-layouts.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { WrongLayout } from "../../../shared/store/layouts/deployment.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { awsEnvironment } from "../../local/index.ts";
import { queuesOf, tablesOf } from "./deployment.ts";
import { runningAt } from "./local-service.ts";
import { Usage } from "./outcome.ts";
import { Queues } from "./queues.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The options that select where a command works. */
export interface Where {
  readonly local?: boolean | undefined;
  /** The port of the local runtime. */
  readonly port?: string | undefined;
  /** Undefined for the default one. */
  readonly deployment?: string | undefined;
}

/** Where a command works. */
export type Target =
  /** A deployment on AWS; `deployment` is undefined if the operator named none. */
  | { readonly at: "aws"; readonly deployment: string | undefined }
  /** The local runtime that `npm start` runs. */
  | { readonly at: "local"; readonly url: string }
  /** Tables named by environment variables, about which nothing else is known. */
  | { readonly at: "tables" };

export interface Connection {
  readonly db: Database;
  readonly queues: () => Promise<Queues>;
  readonly target: Target;
}

/** The default deployment. */
export const usualDeployment = "oiw";

/** Opens the tables. Tests hand over a connection of their own. */
export type Connect = (variables: Variables, config: DynamoDBClientConfig) => Database;

const accessOf = (accessKeyId: string) => ({
  region: awsEnvironment.region,
  credentials: { accessKeyId, secretAccessKey: "local" },
});

/** A command may take longer than a call: a scan of a large table on a small machine takes a while. */
const patient = {
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
};

const connectInLayouts: Connect = (variables, config) => connect(variables, config, layouts);

/**
 * Connects to what a command needs.
 * @throws Problem if the data have a layout that this release can't work with; Usage if it is not known which
 * tables are meant, or if the shell names only some of them, or names tables for a command that needs queues:
 * those of a deployment may be of other tables
 */
export async function connectionTo(
  where: Where,
  variables: Variables,
  { needsNoTables, needsQueues }: { readonly needsNoTables?: true; readonly needsQueues?: true },
  open: Connect = connectInLayouts,
): Promise<Connection> {
  const needsTables = needsNoTables !== true;
  const connection = await unchecked(where, variables, needsTables, open);
  if (needsQueues === true && connection.target.at === "tables")
    throw new Usage(
      "This command needs queues, which variables TABLE_… do not name: unset them to work on a deployment",
    );
  if (needsTables)
    await connection.db.layouts.check().catch((error: unknown) => {
      throw error instanceof WrongLayout ? invalid(error.message) : error;
    });
  return connection;
}

/** A connection to data of any layout. */
async function unchecked(
  where: Where,
  variables: Variables,
  needsTables: boolean,
  open: Connect,
): Promise<Connection> {
  const { local, port, deployment = usualDeployment } = where;
  const missing = tableVariables.filter((name) => !variables[name]);
  const areTablesNamed = missing.length < tableVariables.length;
  refuseTwoPlaces(where, areTablesNamed);
  if (local === true) {
    const { dynamodb, sqs, url } = runningAt(port);
    const access = accessOf(dynamodb.accessKeyId);
    const db = open(dynamodb.tables, { ...access, ...patient, endpoint: dynamodb.endpoint });
    const queues = async () => new Queues(sqs, { ...access, endpoint: sqs.endpoint });
    return { db, queues, target: { at: "local", url } };
  }
  if (areTablesNamed) {
    if (missing.length > 0 && needsTables)
      throw new Usage(`Variables TABLE_… must name all tables; not set: ${missing.join(", ")}`);
    return { db: open(variables, patient), queues: noQueues, target: { at: "tables" } };
  }
  const queues = async () => new Queues(await queuesOf(deployment));
  const tables = needsTables ? await tablesOf(deployment) : {};
  return { db: open(tables, patient), queues, target: { at: "aws", deployment: where.deployment } };
}

const tableVariables = tableNames.map((table) => tableSchemas[table].variable);

/** If an option were ignored, the command would work on an unintended deployment. */
function refuseTwoPlaces({ local, port, deployment }: Where, areTablesNamed: boolean): void {
  if (local === true) {
    if (deployment !== undefined) throw new Usage("--local and --deployment name two places: leave one out");
    return;
  }
  if (port !== undefined) throw new Usage("--port goes with --local: it names what runs on this machine");
  if (areTablesNamed && deployment !== undefined)
    throw new Usage("Variables TABLE_… are set beside --deployment: unset them to work on the deployment");
}

const noQueues = async (): Promise<never> => {
  throw new Error("the command does not state that it needs queues");
};
