/**
 * The disposable account of a smoke test, and the user, registry entries and bin that its requests refer to.
 */
import { randomInt } from "node:crypto";
import { findAccount } from "../../../shared/accounts/account-repository.ts";
import { hashPassword, newPassword } from "../../../shared/auth/passwords.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { newTotpSecret } from "../../../shared/auth/totp.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { insertAccount } from "../set-up/accounts.ts";
import { putBins, putDistributionCenters, putEntries } from "../set-up/registry.ts";
import { insertUser } from "../set-up/users.ts";

/** The ids that are reserved for smoke tests. `accounts create` refuses them. */
export const testAccountIds = { first: 9_000_000, last: 9_999_999 } as const;

export const isTestAccountId = (accountId: number): boolean =>
  accountId >= testAccountIds.first && accountId <= testAccountIds.last;

/** The attribute of accounts that a smoke test created. Only these may be removed. */
const mark = { made_by: "operator smoke" } as const;

export const isMarked = (account: RawItem): boolean => account["made_by"] === mark.made_by;

/** The names of what a test creates outside its account's own records. */
export const namesOf = (accountId: number) => ({
  user: `smoke-${accountId}`,
  distributionCenter: `SMOKE${accountId}`,
  location: `SMOKE${accountId}`,
  bin: "01",
  shippingMethod: "GROUND",
});

export type TestAccount = Awaited<ReturnType<typeof createTestAccount>>;

export async function unusedId(db: Database): Promise<number> {
  for (;;) {
    const id = randomInt(testAccountIds.first, testAccountIds.last + 1);
    if ((await findAccount(db, id)) === undefined) return id;
  }
}

/** Creates the account, its user, and a distribution center with one bin. */
export async function createTestAccount(db: Database, accountId: number) {
  const names = namesOf(accountId);
  const [key, password, totpSecret] = [newKey(), newPassword(), newTotpSecret()];
  const account = { account_id: accountId, name: "Smoke test", activated: true, key_scope: "write" } as const;
  await insertAccount(db, { ...account, key }, mark);
  await putEntries(db, accountId, { shippingMethods: [names.shippingMethod] });
  const credentials = { password: await hashPassword(password), totp_secret: totpSecret };
  await insertUser(db, { user_name: names.user, activated: true, wms: true }, credentials);
  const { location, bin, distributionCenter: code } = names;
  const center = { distribution_center_id: accountId, distribution_center: code };
  await putDistributionCenters(db, [{ distribution_center_id: accountId, code, name: "Smoke test" }]);
  await putBins(db, [{ bin_id: accountId, location, bin, ...center }]);
  return { accountId, ...names, key, password, totpSecret };
}
