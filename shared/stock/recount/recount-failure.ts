import { Problem } from "../../common/problem.ts";
import type { Echo, RecountFailure } from "./recount-request.ts";

/** The accounts and SKUs of entries, for a message: `account 100, SKUs A, B; account 101, SKU C`. */
export function namesOf(entries: readonly { readonly account_id: Echo; readonly sku: Echo }[]): string {
  const skus = new Map<Echo, Set<Echo>>();
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

/** A wrong entry as the interface shows it; the misspelt field is the interface's. */
export const failedEntry = ({ message, ...place }: RecountFailure) => ({
  ...place,
  error: true as const,
  message,
  procces_correction: false as const,
});

/** The problem of a call in which these entries are wrong. */
export const recountFailed = (failures: readonly RecountFailure[]): Problem =>
  new Problem(
    "invalid",
    `Recount not created for ${namesOf(failures)}: ${failures[0]?.message}; nothing was queued`,
    { data: failures.map(failedEntry) },
  );
