/** The state of a running smoke test, and its API clients. */
import * as z from "zod/mini";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { ApiClient } from "./api-client.ts";
import { pollUntil, type Report } from "./steps.ts";
import type { TestAccount } from "./test-account.ts";

/** Includes the two minutes after which a lost message is sent again. */
const jobTimeoutSeconds = 130;

export const wms = "/apirest/v4/wms";

export interface Run {
  readonly db: Database;
  readonly url: string;
  readonly account: TestAccount;
  readonly masterKey: string;
  readonly report: Report;
  /** The ids of accepted jobs. A job does not name its account, so the removal can't find it otherwise. */
  readonly jobs: number[];
}

const job = z.object({
  data: z.object({ status: z.enum(["queued", "applied", "failed"]), reason: z.nullable(z.string()) }),
});

/** @throws if the job fails, or is not applied in time */
export const untilApplied = (run: Run, jobId: number, timeoutSeconds = jobTimeoutSeconds): Promise<void> =>
  pollUntil(`job ${jobId} is applied`, timeoutSeconds, async () => {
    const { data } = await wmsClient(run).get(job, `${wms}/jobs/${jobId}`);
    if (data.status === "failed") throw new Error(`job ${jobId} failed: ${data.reason}`);
    return data.status === "applied";
  });

export const omsClient = ({ url, account: { accountId, key } }: Run): ApiClient =>
  new ApiClient(url, { AccountID: String(accountId), Key: key });

export const wmsClient = ({ url, account: { user }, masterKey }: Run): ApiClient =>
  new ApiClient(url, { userName: user, Key: masterKey });
