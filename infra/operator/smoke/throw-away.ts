/**
 * The account of a smoke test, with everything that its calls refer to. All of it is named after the
 * account's id.
 */
import { randomInt } from "node:crypto";
import { findAccount } from "../../../shared/accounts/account-repository.ts";
import { hashPassword, newPassword } from "../../../shared/auth/passwords.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { newTotpSecret } from "../../../shared/auth/totp.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { insertAccount } from "../accounts.ts";
import { putBin, putDistributionCenter, putShippingMethod } from "../registry.ts";
import { insertUser } from "../users.ts";

/** The ids that throw-away accounts have. `accounts create` refuses them. */
export const throwAwayIds = { first: 9_000_000, last: 9_999_999 } as const;

export const isThrowAway = (accountId: number): boolean =>
  accountId >= throwAwayIds.first && accountId <= throwAwayIds.last;

/** What says of an account that a smoke test made it. Only such an account may be removed. */
const mark = { made_by: "operator smoke" } as const;

export const isMarked = (account: RawItem): boolean => account["made_by"] === mark.made_by;

/** What lies outside the account's own records, by the account's id. */
export const namesOf = (accountId: number) => ({
  user: `smoke-${accountId}`,
  distributionCenter: `SMOKE${accountId}`,
  location: `SMOKE${accountId}`,
  bin: "01",
  shippingMethod: "GROUND",
});

/** An account and its user, with what they sign in with. */
export interface ThrowAway extends ReturnType<typeof namesOf> {
  readonly accountId: number;
  readonly key: string;
  readonly password: string;
  readonly totpSecret: string;
}

/** An id of a throw-away account that there is not. */
export async function freeId(db: Database): Promise<number> {
  for (;;) {
    const id = randomInt(throwAwayIds.first, throwAwayIds.last + 1);
    if ((await findAccount(db, id)) === undefined) return id;
  }
}

/** Sets up the account with this id, its user, and a distribution center with one bin. */
export async function setUp(db: Database, accountId: number): Promise<ThrowAway> {
  const names = namesOf(accountId);
  const [key, password, totpSecret] = [newKey(), newPassword(), newTotpSecret()];
  const account = { account_id: accountId, name: "Smoke test", activated: true, key_scope: "write" } as const;
  await insertAccount(db, { ...account, key }, mark);
  await putShippingMethod(db, accountId, names.shippingMethod);
  const credentials = { password: await hashPassword(password), totp_secret: totpSecret };
  await insertUser(db, { user_name: names.user, activated: true, wms: true }, credentials);
  const center = { distribution_center_id: accountId, distribution_center: names.distributionCenter };
  await putDistributionCenter(db, {
    distribution_center_id: accountId,
    code: names.distributionCenter,
    name: "Smoke test",
  });
  await putBin(db, { bin_id: accountId, location: names.location, bin: names.bin, ...center });
  return { accountId, ...names, key, password, totpSecret };
}
