/** Leases on webhooks: one sender at a time looks after a webhook. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { Problem } from "../../common/problem.ts";
import { changeOne } from "../../store/dynamodb/change-one.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { unlessStale } from "../../store/dynamodb/transact.ts";
import { type Change, stale } from "../../store/dynamodb/writes.ts";
import { progressLookup, requestRun } from "../webhook-repository.ts";
import type { Health } from "./health.ts";

/** How long a lease lasts, in milliseconds: longer than the function of a sender may run. */
const leaseTime = 35_000;

const leased = z.object({ lease_token: primitive.text, lease_until: primitive.int });

/**
 * Takes the lease of a webhook. Where another sender has it, that one is asked to look once more before it ends.
 * @param clock tells epoch milliseconds
 * @returns the lease's token; undefined where another sender looks after the webhook, or there is none
 */
export async function acquireLease(
  db: Database,
  webhookId: number,
  clock: () => number,
): Promise<string | undefined> {
  const token = randomUUID();
  for (;;) {
    if (await tryLease(db, webhookId, token, clock())) return token;
    const item = await unlessGone(() => changeOne(db, requestRun(webhookId)));
    if (item === undefined) return undefined;
    const { lease_token, lease_until } = z.parse(leased, item);
    // The other one may have ended just before it could see that it was asked.
    if (lease_until <= clock()) continue;
    // Where DynamoDB's answer was lost, the SDK has sent the change twice: then the other one is this one.
    return lease_token === token ? token : undefined;
  }
}

function tryLease(db: Database, webhookId: number, token: string, now: number): Promise<boolean> {
  const taken: Change = {
    kind: "change",
    ...progressLookup(webhookId),
    set: { lease_token: token, lease_until: now + leaseTime },
    when: [{ attribute: "lease_until", atMost: now }],
    rejection: stale,
  };
  return unlessStale(() => changeOne(db, taken));
}

/**
 * Ends a lease, unless `touched` is not what it was: then somebody wants the sender to look once more. With `until` nobody
 * may take it before that time, in epoch milliseconds.
 */
export function releaseLease(
  db: Database,
  webhookId: number,
  token: string,
  { touched, until = 0 }: { readonly touched?: number; readonly until?: number } = {},
): Promise<boolean> {
  const ended: Change = {
    kind: "change",
    ...progressLookup(webhookId),
    set: { lease_until: until },
    when: [
      { attribute: "lease_token", equals: token },
      ...(touched === undefined ? [] : [{ attribute: "touched", equals: touched }]),
    ],
    rejection: stale,
  };
  return unlessStale(() => changeOne(db, ended));
}

/** Stores how far a webhook has come; stale where the lease is another's now, or the sending begins anew. */
export const saveProgress = (
  webhookId: number,
  { token, revision }: { readonly token: string; readonly revision: number },
  changed: Partial<Health> & { readonly cursor?: number },
): Change => ({
  kind: "change",
  ...progressLookup(webhookId),
  set: changed,
  when: [
    { attribute: "lease_token", equals: token },
    { attribute: "revision", equals: revision },
  ],
  rejection: stale,
});

async function unlessGone<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Problem && error.kind === "not_found") return undefined;
    throw error;
  }
}
