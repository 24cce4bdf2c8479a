import type { Account } from "../../shared/accounts/account-repository.ts";
import type { PasswordHash } from "../../shared/accounts/credential-repository.ts";
import type { Bin } from "../../shared/registries/registry-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { insertAccount } from "../operator/set-up/accounts.ts";
import * as registry from "../operator/set-up/registry.ts";
import { insertUser } from "../operator/set-up/users.ts";

type DemoAccount = Omit<Account, "key_hash"> & { readonly key: string };

const account = (
  account_id: number,
  name: string,
  more: Partial<Pick<Account, "activated" | "key_scope" | "sandbox">> = {},
): DemoAccount => ({
  account_id,
  name,
  activated: true,
  key_scope: "write",
  key: `demo-oms-key-${account_id}`,
  ...more,
});

export const demoStore = account(100, "Demo Store", { sandbox: true });

const demoAccounts: readonly DemoAccount[] = [
  demoStore,
  account(101, "Second Store", { sandbox: true }),
  account(102, "Dormant Store", { activated: false }),
  account(103, "Read Only Store", { key_scope: "read" }),
  account(104, "Plain Store"),
];

export const demoMasterKey = "demo-master-key";

/** The hash of the demo password: as strong as every other, but made once, because that takes a second. */
const demoHash = (salt: string, hash: string): PasswordHash => ({ N: 32_768, r: 8, p: 3, salt, hash });

export const demoUsers = [
  {
    user_name: "manager",
    activated: true,
    wms: true,
    password: demoHash("1COCdYnP0yr7GDaPq_srsg", "V3gAxbUDe4IfF0fgc0lxe9jY6-hO81ASO_azHoLDlMo"),
  },
  {
    user_name: "dormant",
    activated: false,
    wms: true,
    password: demoHash("Q7fzBXGPJuhRVDPDIyOIBA", "M8Pm68faH-l-Hoqpf-vFPFu2kiuyEOljm-MQPzDjAVA"),
  },
  {
    user_name: "viewer",
    activated: true,
    wms: false,
    password: demoHash("7zE8giltGZPp_5wW9YzOPg", "1FYAwv-XvQ-BzJN6gKUNfFvx-G3YjIouexX0VbyvOrk"),
  },
] as const;

export const demoBins: readonly Bin[] = ["A1", "A2", "B1"].flatMap((location, row) =>
  ["01", "02", "03"].map((bin, column) => ({
    bin_id: row * 3 + column + 1,
    location,
    bin,
    distribution_center_id: 1,
    distribution_center: "MAIN",
  })),
);

/** The credentials with which every demo user signs in to the mobile application. */
export const demoPassword = "demo-password";
export const demoTotpSecret = "JBSWY3DPEHPK3PXP";

export const setUpUser = (db: Database, { password, ...user }: (typeof demoUsers)[number]): Promise<number> =>
  insertUser(db, user, { password, totp_secret: demoTotpSecret });

/** Sets up the users of the demo one after another, so that their ids are 1, 2 and 3. */
export async function setUpUsers(db: Database): Promise<void> {
  for (const user of demoUsers) await setUpUser(db, user);
}

/** Sets up what all accounts share: the warehouse's master key, its distribution centers and its bins. */
export async function setUpWarehouse(db: Database): Promise<void> {
  await Promise.all([
    registry.putMasterKey(db, demoMasterKey),
    registry.putDistributionCenters(db, [
      { distribution_center_id: 1, code: "MAIN", name: "Main Warehouse" },
      { distribution_center_id: 2, code: "EAST", name: "East Warehouse" },
    ]),
    registry.putBins(db, demoBins),
  ]);
}

/** Sets up what the records of the demo's store refer to, for any account. */
export const setUpStore = (db: Database, accountId: number): Promise<void> =>
  registry.putEntries(db, accountId, {
    shippingMethods: ["GROUND", "EXPRESS"],
    suppliers: ["Acme Supply"],
    packageTypes: ["BOX-S", "BOX-M"],
    stores: [
      { store_id: 1, name: "Demo Web Store" },
      { store_id: 2, name: "Demo Marketplace" },
    ],
  });

export async function setUpAccounts(db: Database): Promise<void> {
  await Promise.all([
    ...demoAccounts.map((demo) => insertAccount(db, demo)),
    setUpStore(db, demoStore.account_id),
    registry.putEntries(db, 101, {
      shippingMethods: ["GROUND"],
      stores: [{ store_id: 3, name: "Second Shop" }],
    }),
    registry.putEntries(db, 104, { shippingMethods: ["GROUND"] }),
  ]);
}
