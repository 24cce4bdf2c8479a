/** Leases on webhooks: only one sender at a time sends to a webhook (`dispatch.ts`). */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { Problem } from "../../common/problem.ts";
import { changeOne } from "../../store/dynamodb/change-one.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { unlessStale } from "../../store/dynamodb/transact.ts";
import { type Change, stale } from "../../store/dynamodb/writes.ts";
import { progressLookup, requestRun, type WebhookState } from "../webhook-repository.ts";
import type { Health } from "./health.ts";

/** How long a lease lasts: longer than the function of a sender may run. */
const leaseMs = 35_000;

const leased = z.object({ lease_token: primitive.text, lease_until: primitive.int });

/**
 * Acquires the lease of a webhook. If another sender has it, that one is requested to look once more before it ends.
 * @returns the lease's token; undefined if another sender has the lease, or the webhook does not exist
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
    // The other sender may have ended just before it could see the request.
    if (lease_until <= clock()) continue;
    // If DynamoDB's answer was lost, the SDK has sent the change twice: then this sender has the lease itself.
    return lease_token === token ? token : undefined;
  }
}

function tryLease(db: Database, webhookId: number, token: string, now: number): Promise<boolean> {
  const taken: Change = {
    kind: "change",
    ...progressLookup(webhookId),
    set: { lease_token: token, lease_until: now + leaseMs },
    when: [{ attribute: "lease_until", atMost: now }],
    rejection: stale,
  };
  return unlessStale(() => changeOne(db, taken));
}

/**
 * Releases a lease, unless `touched` has changed: then another run was requested meanwhile. With `until`, nobody may
 * acquire it before that time, in epoch milliseconds.
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

/** Stores the progress of a webhook; stale if another sender has the lease now, or the account has restarted the sending. */
export const saveProgress = (
  { webhook, progress }: WebhookState,
  changed: Partial<Health> & { readonly cursor?: number },
): Change => ({
  kind: "change",
  ...progressLookup(webhook.webhook_id),
  set: changed,
  when: [
    { attribute: "lease_token", equals: progress.lease_token },
    { attribute: "revision", equals: progress.revision },
  ],
  rejection: stale,
});

/** Thrown if another sender has the lease, or the webhook is deleted. The batch of this sender is not stored. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

async function unlessGone<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Problem && error.kind === "not_found") return undefined;
    throw error;
  }
}
