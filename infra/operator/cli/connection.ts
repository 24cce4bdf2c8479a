/** Which tables and queues a command uses: those of the local runtime, or of a deployment. */

import { invalid } from "../../../shared/common/problem.ts";
import { layouts } from "../../../shared/runtime/data-layouts.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { WrongLayout } from "../../../shared/store/layouts/deployment.ts";
import { resumeSaga } from "../../../shared/store/sagas/saga.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { awsEnvironment } from "../../local/index.ts";
import { queuesOf, tablesOf } from "./deployment.ts";
import { runningAt } from "./local-service.ts";
import { Usage } from "./outcome.ts";
import { Queues } from "./queues.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Where {
  readonly local?: boolean | undefined;
  /** The port of the local runtime. */
  readonly port?: string | undefined;
  /** Undefined for the default one. */
  readonly deployment?: string | undefined;
}

export type Target =
  /** A deployment on AWS; `deployment` is undefined if the operator named none. */
  | { readonly at: "aws"; readonly deployment: string | undefined }
  /** The local runtime that `npm start` runs. */
  | { readonly at: "local"; readonly url: string };

export interface Connection {
  readonly db: Database;
  readonly queues: () => Promise<Queues>;
  readonly target: Target;
}

export const usualDeployment = "oiw";

const accessOf = (accessKeyId: string) => ({
  region: awsEnvironment.region,
  credentials: { accessKeyId, secretAccessKey: "local" },
});

/** A command may take longer than a call: a scan of a large table on a small machine takes a while. */
const patient = {
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
};

const tableVariables = tableNames.map((name) => tableSchemas[name].variable);

/**
 * @throws Usage if the options name two places, or only variables name tables, as in release 1.0.0;
 * Unreachable if what they name is not there
 */
export async function connectionTo(
  where: Where,
  variables: Variables,
  needsTables: boolean,
): Promise<Connection> {
  const { local, port, deployment = usualDeployment } = where;
  // If an option or a variable were ignored, the command would work on an unintended deployment.
  if (local === true && where.deployment !== undefined)
    throw new Usage("--local and --deployment name two places: leave one out");
  if (local !== true && port !== undefined)
    throw new Usage("--port goes with --local: it names what runs on this machine");
  const ignored = tableVariables.find((name) => variables[name]);
  if (ignored !== undefined && local !== true && where.deployment === undefined)
    throw new Usage(`${ignored} is set, but variables no longer name tables: unset it, or add --deployment`);
  if (local === true) {
    const { dynamodb, sqs, url } = runningAt(port);
    const access = accessOf(dynamodb.accessKeyId);
    const db = connect(dynamodb.tables, { ...access, ...patient, endpoint: dynamodb.endpoint }, layouts);
    const queues = async () => new Queues(sqs, { ...access, endpoint: sqs.endpoint });
    return { db: { ...db, resumeSaga }, queues, target: { at: "local", url } };
  }
  const queues = async () => new Queues(await queuesOf(deployment));
  const tables = needsTables ? await tablesOf(deployment) : {};
  return {
    db: { ...connect(tables, patient, layouts), resumeSaga },
    queues,
    target: { at: "aws", deployment: where.deployment },
  };
}

/** @throws Problem if the data have a layout that this release can't work with */
export const expectReadable = ({ layouts: stated }: Database): Promise<void> =>
  stated.check().catch((error: unknown) => {
    throw error instanceof WrongLayout ? invalid(error.message) : error;
  });
