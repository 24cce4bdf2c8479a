/** The connection of a Lambda instance. */

import { connect, type Database } from "../store/dynamodb/database.ts";
import { layouts } from "./data-layouts.ts";

/** How long the first read may take while a function loads, in milliseconds. After that, the first event reads again. */
const firstReadTimeout = 1_000;

let shared: Database | undefined;

const opened = (): Database => {
  shared ??= connect(process.env, {}, layouts);
  return shared;
};

/**
 * The connection of this instance, opened at first use and kept for its life.
 * @throws WrongLayout if this release can't work with the deployment's data
 */
export async function database(): Promise<Database> {
  const db = opened();
  await db.layouts.check();
  return db;
}

/**
 * Lambda lends a whole processor to an instance that loads, and a part of one to its calls. So the client does beforehand all
 * that it does only once: settle its configuration, load what it needs, connect. It does so by the read that every instance
 * needs: of the deployment's layout. If the read fails, the first event repeats it.
 */
if (process.env["AWS_LAMBDA_INITIALIZATION_TYPE"] !== undefined)
  await opened()
    .layouts.refresh(AbortSignal.timeout(firstReadTimeout))
    .catch(() => undefined);
