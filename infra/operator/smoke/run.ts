/** A smoke test that is running, and the clients in whose names it calls. */
import * as z from "zod/mini";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { Caller } from "./caller.ts";
import { eventually, type Report } from "./steps.ts";
import type { ThrowAway } from "./throw-away.ts";

/** Seconds within which a worker applies a job: a lost message is sent again within two minutes. */
export const jobSeconds = 130;

/** Where the calls of the WMS begin. */
export const wms = "/apirest/v4/wms";

/** A smoke test that is running. */
export interface Run {
  readonly db: Database;
  readonly url: string;
  readonly account: ThrowAway;
  /** The key of the warehouse, which calls of the WMS carry. */
  readonly masterKey: string;
  readonly report: Report;
  /** The jobs that were accepted so far. */
  readonly jobs: number[];
}

const job = z.object({
  data: z.object({ status: z.enum(["queued", "applied", "failed"]), reason: z.nullable(z.string()) }),
});

/** Whether a job is applied by now. @throws if it failed */
export async function isApplied(run: Run, jobId: number): Promise<boolean> {
  const { data } = await warehouseOf(run).call(job, { method: "GET", path: `${wms}/jobs/${jobId}` });
  if (data.status === "failed") throw new Error(`job ${jobId} failed: ${data.reason}`);
  return data.status === "applied";
}

/** Waits until a job is applied. @throws if it fails, or takes too long */
export const untilApplied = (run: Run, jobId: number, seconds = jobSeconds): Promise<true> =>
  eventually(`job ${jobId} is applied`, seconds, async () =>
    (await isApplied(run, jobId)) ? true : undefined,
  );

/** Calls of the OMS in the account's name. */
export const storeOf = ({ url, account: { accountId, key } }: Run): Caller =>
  new Caller(url, { AccountID: String(accountId), Key: key });

/** Calls of the WMS as the account's user. */
export const warehouseOf = ({ url, account: { user }, masterKey }: Run): Caller =>
  new Caller(url, { userName: user, Key: masterKey });
