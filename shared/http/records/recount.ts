import * as z from "zod/mini";
import { Problem } from "../../domain/problem.ts";
import { type Correction, correction } from "../../domain/stock/recount.ts";
import type { RecountFailure } from "../../domain/stock/recount-request.ts";
import type { Job } from "../../store/jobs.ts";

/** The body of an accepted recount. All of its fields are as the interface has them. */
export const recountResult = z.object({
  success: z.literal(true),
  message: z.string(),
  result: z.array(
    z.object({
      account_id: z.int(),
      sku: z.string(),
      bin: z.string(),
      location: z.string(),
      correction_id: z.int(),
      error: z.literal(false),
      new_quantity: z.int(),
      description: z.string(),
    }),
  ),
  code: z.literal(200),
});

/** The accounts and SKUs of entries, for a message: `account 100, SKUs A, B; account 101, SKU C`. */
function named(
  entries: readonly { readonly account_id: number | null; readonly sku: string | null }[],
): string {
  const skus = new Map<number | null, Set<string>>();
  for (const { account_id, sku } of entries) {
    const known = skus.get(account_id) ?? new Set();
    skus.set(account_id, sku === null ? known : known.add(sku));
  }
  return [...skus]
    .map(([account, names]) => {
      const owner = account === null ? "an account that is not named" : `account ${account}`;
      return names.size === 0 ? owner : `${owner}, SKU${names.size > 1 ? "s" : ""} ${[...names].join(", ")}`;
    })
    .join("; ");
}

/** The body for corrections that are queued under these ids. */
export function presentQueued(
  jobs: readonly { readonly job_id: number; readonly payload: Correction }[],
): z.output<typeof recountResult> {
  const ids = jobs.map(({ job_id }) => job_id);
  return {
    success: true,
    message: `Recount queued for ${named(jobs.map(({ payload }) => payload))}; correction_id ${ids.join(", ")}`,
    result: jobs.map(
      ({ job_id, payload: { account_id, sku, bin, location, new_quantity, description } }) => ({
        account_id,
        sku,
        bin,
        location,
        correction_id: job_id,
        error: false,
        new_quantity,
        description,
      }),
    ),
    code: 200,
  };
}

/** The problem of a call in which these entries are wrong. */
export const recountFailed = (failures: readonly RecountFailure[]): Problem =>
  new Problem(
    "invalid",
    `Recount not created for ${named(failures)}: ${failures[0]?.message}; nothing was queued`,
    {
      data: failures.map(({ message, ...place }) => ({
        ...place,
        error: true,
        message,
        procces_correction: false,
      })),
    },
  );

/** The body of a refused recount (the misspelt field is the interface's). */
export const recountFailure = ({ message, details: { data = [] } }: Problem) => ({
  success: false,
  message,
  result: data,
  code: 400,
});

/** A correction and what became of it (docs/decisions.md, Recounts). */
export const correctionRecord = z.object({
  correction_id: z.int(),
  status: z.enum(["queued", "applied", "failed"]),
  reason: z.nullable(z.string()),
  account_id: z.int(),
  sku: z.string(),
  product_id: z.int(),
  location: z.string(),
  bin: z.string(),
  qty: z.optional(z.int()),
  qty_in_bin: z.optional(z.int()),
  new_quantity: z.int(),
  description: z.string(),
  requested_by: z.string(),
  queued_at: z.string(),
  finished_at: z.nullable(z.string()),
  attempts: z.int(),
});

export function presentCorrection(job: Job): z.output<typeof correctionRecord> {
  const { change, ...payload } = z.parse(correction, job.payload);
  const asked = change.kind === "relative" ? { qty: change.quantity } : { qty_in_bin: change.quantity };
  return { ...job, ...payload, ...asked, correction_id: job.job_id, requested_by: job.by };
}
