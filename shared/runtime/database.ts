/** The connection of a Lambda instance. */

import { connect, type Database } from "../store/dynamodb/database.ts";
import { layouts } from "./data-layouts.ts";

/** Time limit of the first read while a function loads. After that, the first event reads again. */
const firstReadTimeoutMs = 1_000;

let shared: Database | undefined;

const openDatabase = (): Database => {
  shared ??= connect(process.env, {}, layouts);
  return shared;
};

/** Opened at first use and kept. @throws WrongLayout if this release can't work with the data */
export async function database(): Promise<Database> {
  const db = openDatabase();
  await db.layouts.check();
  return db;
}

/**
 * While an instance loads, Lambda gives it a full processor, and only a part of one for its calls. So the
 * client is configured, loaded and connected while loading, by the read that every instance needs: of the
 * deployment's layout. If the read fails, the first event repeats it.
 */
if (process.env["AWS_LAMBDA_INITIALIZATION_TYPE"] !== undefined)
  await openDatabase()
    .layouts.refresh(AbortSignal.timeout(firstReadTimeoutMs))
    .catch(() => undefined);
