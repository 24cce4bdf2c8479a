/** Leases on webhooks: only one sender at a time processes a webhook (`dispatch.ts`). */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { Problem } from "../../common/problem.ts";
import { abandonedAfterMs } from "../../common/time-limits.ts";
import { changeOne } from "../../store/dynamodb/change-one.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { unlessStale } from "../../store/dynamodb/transact.ts";
import type { Change } from "../../store/dynamodb/writes.ts";
import { requestRun, type WebhookState, webhookProgressLookup } from "../webhook-repository.ts";
import type { Health } from "./health.ts";

const leased = z.object({ lease_token: primitive.text, lease_until: primitive.int });

/**
 * If another sender holds it, that sender checks the webhook again.
 * @returns the token, if acquired
 */
export async function acquireLease(
  db: Database,
  webhookId: number,
  clock: () => number,
): Promise<string | undefined> {
  const token = randomUUID();
  for (;;) {
    if (await tryLease(db, webhookId, token, clock())) return token;
    const item = await changeOne(db, requestRun(webhookId)).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.kind !== "not_found") throw error;
    });
    if (item === undefined) return undefined;
    const { lease_token, lease_until } = z.parse(leased, item);
    // The holder may have ended just before it could notice the request.
    if (lease_until <= clock()) continue;
    // If DynamoDB's response was lost, the SDK has sent the change twice, and this sender holds the lease.
    return lease_token === token ? token : undefined;
  }
}

function tryLease(db: Database, webhookId: number, token: string, now: number): Promise<boolean> {
  const taken: Change = {
    kind: "change",
    ...webhookProgressLookup(webhookId),
    set: { lease_token: token, lease_until: now + abandonedAfterMs },
    when: [{ attribute: "lease_until", atMost: now }],
  };
  return unlessStale(() => changeOne(db, taken));
}

export interface LeaseEnd {
  /** The lease is kept if this value has changed, which means that another run was requested. */
  readonly touched?: number;
  /** The lease can't be acquired before this time, in epoch milliseconds. */
  readonly until?: number;
}

/**
 * Releases a lease.
 * @returns whether it is released: not if it was lost, or if another run was requested
 */
export function releaseLease(
  db: Database,
  webhookId: number,
  token: string,
  { touched, until = 0 }: LeaseEnd = {},
): Promise<boolean> {
  const ended: Change = {
    kind: "change",
    ...webhookProgressLookup(webhookId),
    set: { lease_until: until },
    when: [
      { attribute: "lease_token", equals: token },
      ...(touched === undefined ? [] : [{ attribute: "touched", equals: touched }]),
    ],
  };
  return unlessStale(() => changeOne(db, ended));
}

/** Stale if another sender holds the lease, or the account has restarted sending. */
export const saveProgress = (
  { webhook, progress }: WebhookState,
  changed: Partial<Health> & { readonly cursor?: number },
): Change => ({
  kind: "change",
  ...webhookProgressLookup(webhook.webhook_id),
  set: changed,
  when: [
    { attribute: "lease_token", equals: progress.lease_token },
    { attribute: "revision", equals: progress.revision },
  ],
});

/** Thrown if another sender holds the lease, or the webhook is deleted. This sender's batch is not stored. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
