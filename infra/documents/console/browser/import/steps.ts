/** The steps of an import: a dry run of every batch, and then the batches themselves. */
import { ServiceError } from "order-inventory-warehouse-client";
import { Problem } from "../../../../../shared/common/problem.ts";
import { type ReadRecord, storedByCall } from "../../../../operator/import/by-call.ts";
import type { Rejection } from "../../../../operator/import/columns.ts";
import { isTemporary } from "../parts/calls.ts";
import type { Client } from "../parts/session.ts";
import type { Kind, Sheet } from "./sheet.ts";

/** An import, and how far it is. Each step makes another of it. */
export interface Import {
  readonly kind: Kind;
  readonly sheet: Sheet;
  /** Records that were checked. */
  readonly checked: number;
  /** Records that were sent, or exist. */
  readonly sent: number;
  /** What the file or the service refuses. */
  readonly refused: readonly Rejection[];
  /** Rows of records that exist already, which are left out. */
  readonly existing: ReadonlySet<number>;
  /** How often the service has refused a batch that its dry run had accepted. */
  readonly refusals: number;
}

export const begun = (kind: Kind, sheet: Sheet): Import => ({
  ...{ kind, sheet, checked: 0, sent: 0, refusals: 0 },
  ...{ refused: sheet.refused, existing: new Set<number>() },
});

/** Records of one call, which stores all of them or none. */
const batchSize = 100;

const batchAt = ({ sheet }: Import, start: number): readonly ReadRecord[] =>
  sheet.records.slice(start, start + batchSize);

/**
 * The refusal of a call, with the errors of whole records only. An answer lists 100 errors, and the last
 * listed record may have more. So that record is checked again, unless it is the only one.
 */
function problemOf({ message, errors, errorsTotal }: ServiceError): Problem {
  const placeOf = (path: string) => path.split(".").slice(0, 2).join(".");
  const last = placeOf(errors.at(-1)?.path ?? "");
  const whole = errors.filter(({ path }) => placeOf(path) !== last);
  const isCut = errorsTotal > errors.length && whole.length > 0;
  return new Problem("invalid", message, { errors: isCut ? whole : errors });
}

/** Checks what is not checked yet, batch by batch. @throws {ServiceError} if the service does not answer */
export async function* checking(started: Import, client: Client): AsyncGenerator<Import, void> {
  const { kind, sheet } = started;
  const call = async (body: object): Promise<void> => {
    try {
      await kind.post(client, true, JSON.stringify(body), "not kept");
    } catch (error) {
      if (!(error instanceof ServiceError) || isTemporary(error) || error.status === 401) throw error;
      throw problemOf(error);
    }
  };
  for (let one = started; one.checked < sheet.records.length; yield one) {
    const batch = batchAt(one, one.checked);
    const { refused } = await storedByCall(batch, call);
    const exists = ({ field, message }: Rejection) =>
      field === kind.name && message.startsWith("already exists");
    one = {
      ...one,
      checked: one.checked + batch.length,
      refused: [...one.refused, ...refused.filter((rejection) => !exists(rejection))],
      existing: new Set([...one.existing, ...refused.filter(exists).map(({ row }) => row)]),
    };
  }
}

/**
 * Sends what is not sent yet, batch by batch. The key of a batch is a digest of its content, so a batch that
 * was sent before takes effect once, also from another tab. After a refusal, which the service keeps for its
 * key as well, the keys are others.
 * @throws {ServiceError} if the service refuses a batch, of which it stores nothing, or does not answer
 */
export async function* sending(started: Import, client: Client): AsyncGenerator<Import, void> {
  const { kind, sheet, existing, refusals } = started;
  for (let one = started; one.sent < sheet.records.length; yield one) {
    const batch = batchAt(one, one.sent);
    const data = batch.filter(({ row }) => !existing.has(row)).map(({ record }) => record);
    const text = JSON.stringify({ data });
    if (data.length > 0) await kind.post(client, false, text, await digestOf(`${refusals} ${text}`));
    one = { ...one, sent: one.sent + batch.length };
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
