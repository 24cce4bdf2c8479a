/** The steps of an import: a dry run of every batch, and then the batches themselves. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { Problem } from "../../../../../shared/common/problem.ts";
import { type ReadRecord, storedByCall } from "../../../../import/by-call.ts";
import type { Rejection } from "../../../../import/columns.ts";
import { type Client, failureOf, isTemporary } from "../parts/service.ts";
import { type Kind, post, type Sheet } from "./sheet.ts";

/** An import and its progress. Each batch creates a new value. */
export interface Import {
  readonly kind: Kind;
  readonly sheet: Sheet;
  readonly step: "check" | "send";
  readonly done: number;
  /** Everything in the file that was rejected, here or by the service. */
  readonly refused: readonly Rejection[];
  /** Rows of records that exist already, which are left out. */
  readonly existing: ReadonlySet<number>;
}

export function begun(kind: Kind, sheet: Sheet): Import {
  const { refused } = sheet;
  return { kind, sheet, step: "check", done: 0, refused, existing: new Set() };
}

/** Records of one call, which stores all of them or none. */
const batchSize = 100;

/**
 * Continues the step, batch by batch.
 * @throws {ServiceError} as the step does
 */
export async function* stepping(started: Import, client: Client): AsyncGenerator<Import, void> {
  for (let work = started; work.done < work.sheet.records.length; yield work) {
    const batch = work.sheet.records.slice(work.done, work.done + batchSize);
    const found = await (work.step === "check" ? check : send)(work, batch, client);
    work = { ...work, ...found, done: work.done + batch.length };
  }
}

async function check({ kind, ...work }: Import, batch: readonly ReadRecord[], client: Client) {
  const call = (body: object) =>
    post(client, kind, true, JSON.stringify(body), "not kept").catch((error: unknown) => {
      const failure = failureOf(error);
      throw isTemporary(failure) || failure.status === 401 ? failure : problemOf(failure);
    });
  const { refused } = await storedByCall(batch, call);
  const exists = ({ code }: Rejection) => code === "already_exists";
  return {
    refused: [...work.refused, ...refused.filter((rejection) => !exists(rejection))],
    existing: new Set([...work.existing, ...refused.filter(exists).map(({ row }) => row)]),
  };
}

/**
 * The rejection of a call, with the errors of whole records only. An answer lists 100 errors, and the last
 * listed record may have more. So that record is checked again, unless it is the only one.
 */
function problemOf({ message, errorsTotal, ...failure }: ServiceError): Problem {
  const errors = failure.errors.map(({ path, message, code }) => {
    return { path, message, ...(code === "already_exists" && { code: "already_exists" as const }) };
  });
  const placeOf = (path: string) => path.split(".").slice(0, 2).join(".");
  const last = placeOf(errors.at(-1)?.path ?? "");
  const whole = errors.filter(({ path }) => placeOf(path) !== last);
  const isCut = errorsTotal > errors.length && whole.length > 0;
  return new Problem("invalid", message, { errors: isCut ? whole : errors });
}

/** The tab's count of batches that the service has rejected although it had accepted their dry runs. */
const refusalsKey = "import-refusals";

/**
 * The key of a batch is a digest of its content, so a batch that was sent before takes effect once, even from
 * another tab. After a rejection, which the service also stores under the key, the tab uses other keys.
 * @throws {ServiceError} if the service rejects the batch, of which it stores nothing, or does not answer
 */
async function send(work: Import, batch: readonly ReadRecord[], client: Client): Promise<void> {
  const data = batch.filter(({ row }) => !work.existing.has(row)).map(({ record }) => record);
  const text = JSON.stringify({ data });
  if (data.length === 0) return;
  const refusals = Number(sessionStorage.getItem(refusalsKey));
  await post(client, work.kind, false, text, await digestOf(`${refusals} ${text}`)).catch(
    (error: unknown) => {
      if (!isTemporary(failureOf(error))) sessionStorage.setItem(refusalsKey, String(refusals + 1));
      throw error;
    },
  );
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
