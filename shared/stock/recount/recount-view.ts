import * as z from "zod/mini";
import { isBlank } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { Problem } from "../../common/problem.ts";
import type { Job } from "../../jobs/job-repository.ts";
import { storedInPart } from "../../store/bulk/store-rest.ts";
import { correction, type QueuedCorrection } from "./recount.ts";
import type { Echo, RecountFailure } from "./recount-request.ts";

/** An accepted correction, with the field names of the interface. */
export const acceptedEntry = z.object({
  account_id: primitive.int,
  sku: primitive.text,
  bin: primitive.text,
  location: primitive.text,
  correction_id: primitive.int,
  error: z.literal(false),
  new_quantity: primitive.int,
  description: primitive.text,
});

/** The body of an accepted recount, in the shape of the interface. */
export const recountResult = z.object({
  success: z.literal(true),
  message: primitive.text,
  result: z.array(acceptedEntry),
  code: z.literal(200),
});

function presentAccepted({ job_id, payload }: QueuedCorrection): z.output<typeof acceptedEntry> {
  const { account_id, sku, bin, location, new_quantity, description } = payload;
  const correction_id = job_id;
  return { account_id, sku, bin, location, correction_id, error: false, new_quantity, description };
}

/** The body for queued corrections. */
export function presentQueued(jobs: readonly QueuedCorrection[]): z.output<typeof recountResult> {
  const ids = jobs.map(({ job_id }) => job_id);
  return {
    success: true,
    message: `Recount queued for ${namesOf(jobs.map(({ payload }) => payload))}; correction_id ${ids.join(", ")}`,
    result: jobs.map(presentAccepted),
    code: 200,
  };
}

/** The accounts and SKUs of entries in a message: `account 100, SKUs A, B; account 101, SKU C`. */
function namesOf(entries: readonly { readonly account_id: Echo; readonly sku: Echo }[]): string {
  const skus = new Map<Echo, Set<Echo>>();
  for (const { account_id, sku } of entries) {
    const known = skus.get(account_id) ?? new Set();
    skus.set(account_id, isBlank(sku) ? known : known.add(sku));
  }
  return [...skus]
    .map(([account, names]) => {
      const owner = isBlank(account) ? "an account that is not named" : `account ${account}`;
      return names.size === 0 ? owner : `${owner}, SKU${names.size > 1 ? "s" : ""} ${[...names].join(", ")}`;
    })
    .join("; ");
}

/** A wrong entry in the shape of the interface, including its misspelled field. */
const failedEntry = ({ account_id, sku, bin, location, message }: RecountFailure) => ({
  account_id,
  sku,
  bin,
  location,
  error: true as const,
  message,
  procces_correction: false as const,
});

/** The error of a call with these wrong entries. */
export const recountFailed = (failures: readonly RecountFailure[]): Problem =>
  new Problem(
    "invalid",
    `Recount not created for ${namesOf(failures)}: ${failures[0]?.message}; nothing was queued`,
    { data: failures.map(failedEntry) },
  );

/**
 * The error of a call that was accepted in part. `result` says whether each entry was accepted
 * (docs/decisions.md, Recounts).
 */
export function recountPartly(entries: readonly (QueuedCorrection | RecountFailure)[]): Problem {
  const failures = entries.filter((entry) => "message" in entry);
  const count = entries.length - failures.length;
  const rest =
    count === 0 ? "nothing was queued" : `${count} other ${count === 1 ? "entry is" : "entries are"} queued`;
  const message = `Recount not created for ${namesOf(failures)}: ${failures[0]?.message}; ${rest}`;
  const data = entries.map((entry) => ("message" in entry ? failedEntry(entry) : presentAccepted(entry)));
  const problems = failures.flatMap(({ problem }) => problem ?? []);
  return storedInPart(message, { data }, problems);
}

const elements = z.array(z.looseObject({}));

/** The body of a rejected recount. Its entries have `error` instead of the `success` of other bulk calls. */
export const recountFailure = ({ message, details: { data = [] } }: Problem) => ({
  success: false,
  message,
  result: z.parse(elements, data).map(({ success, ...entry }) => entry),
  code: 400,
});

/** A correction and its outcome (docs/decisions.md, Recounts). */
export const correctionRecord = z.object({
  correction_id: primitive.int,
  status: z.enum(["queued", "applied", "failed"]),
  reason: primitive.textOrNull,
  account_id: primitive.int,
  sku: primitive.text,
  product_id: primitive.int,
  location: primitive.text,
  bin: primitive.text,
  qty: z.optional(primitive.int),
  qty_in_bin: z.optional(primitive.int),
  new_quantity: primitive.int,
  description: primitive.text,
  requested_by: primitive.text,
  request_id: primitive.textOrNull,
  queued_at: primitive.time,
  finished_at: primitive.timeOrNull,
  attempts: primitive.int,
});

export function presentCorrection(job: Job): z.output<typeof correctionRecord> {
  const { change, ...payload } = z.parse(correction, job.payload);
  const asked = change.kind === "relative" ? { qty: change.quantity } : { qty_in_bin: change.quantity };
  return {
    ...job,
    ...payload,
    ...asked,
    correction_id: job.job_id,
    requested_by: job.by,
    request_id: job.request_id ?? null,
  };
}
