import { describe, expect, test } from "vitest";
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import { permitUser } from "../../../infra/operator/set-up/users.ts";
import { newStore } from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import type { Answer } from "../../support/http/client.ts";
import { messages, rejection } from "../../support/http/credentials.ts";
import { newUser } from "../../support/http/mobile.ts";
import { putAccount } from "../../support/records/accounts.ts";
import { productOf, unique } from "../../support/records/records.ts";
import type { Store } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const other = await newStore(service);
const dormant = await newStore(service, { activated: false });

type Headers = Readonly<Record<string, string>>;

const oms = "/apirest/v4/oms";
const wms = "/apirest/v4/wms";

/** The AccountID of a store, and its key. */
const idOf = ({ accountId }: Store = service): string => String(accountId);
const keyOf = ({ credentials }: Store = service): string => credentials["Key"] ?? "";

const ping = (area: string, headers: Headers): Promise<Answer> => service.with(headers).post(`${area}/ping`);

/** A new account's id; its key is what `key` says. */
let lastAccount = 500;
async function newAccount(key: string): Promise<number> {
  const account_id = ++lastAccount;
  await putAccount(service.db, { ...account, account_id, key });
  return account_id;
}

const account = { name: "Test Store", activated: true, key_scope: "write" } as const;

/** Statuses of calls at once, which two instances of the function answer. */
async function statusesOf(area: string, headers: Headers): Promise<ReadonlySet<number>> {
  const answers = await timesAtOnce(service, 4, () => ping(area, headers));
  return new Set(answers.map(({ status }) => status));
}

const missingKey = (owner: string, instead?: string): string =>
  `is missing; send the key of the ${owner} in it, as it is${instead === undefined ? "" : `; ${instead} is not read by this call`}`;

const keyErrors = (message?: string) => (message === undefined ? [] : [{ path: "Key", message }]);

/** What a call sends, what its answer says, and what that says of the key. */
type Refused = [name: string, headers: () => Headers, message: string, advice?: string];

const refusedByOms: readonly Refused[] = [
  ["no header", () => ({}), messages.accountMissing],
  ["a key alone", () => ({ Key: keyOf() }), messages.accountMissing],
  ["an empty AccountID", () => ({ AccountID: "", Key: keyOf() }), messages.accountMissing],
  ["an empty AccountID and a wrong key", () => ({ AccountID: "", Key: "wrong" }), messages.accountMissing],
  ["WMS credentials", () => ({ userName: "manager", Key: demoMasterKey }), messages.accountMissing],
  ["an unknown AccountID", () => ({ AccountID: "999", Key: keyOf() }), messages.accountUnknown],
  [
    "an unknown AccountID and a wrong key",
    () => ({ AccountID: "999", Key: "wrong" }),
    messages.accountUnknown,
  ],
  ["an unknown AccountID and no key", () => ({ AccountID: "999" }), messages.accountUnknown],
  ["two AccountIDs", () => ({ AccountID: `${idOf()}, ${idOf()}`, Key: keyOf() }), messages.accountUnknown],
  ["no key", () => ({ AccountID: idOf() }), messages.key, missingKey("account")],
  ["an empty key", () => ({ AccountID: idOf(), Key: "" }), messages.key, missingKey("account")],
  ["a wrong key", () => ({ AccountID: idOf(), Key: "wrong" }), messages.key],
  ["another account's key", () => ({ AccountID: idOf(), Key: keyOf(other) }), messages.key],
  ["the master key", () => ({ AccountID: idOf(), Key: demoMasterKey }), messages.key],
  [
    "the key in Authorization",
    () => ({ AccountID: idOf(), Authorization: keyOf() }),
    messages.key,
    missingKey("account", "Authorization"),
  ],
  [
    "the key in X-Api-Key",
    () => ({ AccountID: idOf(), "X-Api-Key": keyOf() }),
    messages.key,
    missingKey("account", "X-Api-Key"),
  ],
  [
    "the key behind a scheme",
    () => ({ AccountID: idOf(), Key: `Bearer ${keyOf()}` }),
    messages.key,
    "must be the key alone, without Bearer or Basic before it",
  ],
  ["a dormant account and a wrong key", () => ({ AccountID: idOf(dormant), Key: "wrong" }), messages.key],
  ["a dormant account and no key", () => ({ AccountID: idOf(dormant) }), messages.key, missingKey("account")],
  [
    "a dormant account and its key",
    () => ({ AccountID: idOf(dormant), Key: keyOf(dormant) }),
    messages.accountDormant,
  ],
];
const refusedByWms: readonly Refused[] = [
  ["no header", () => ({}), messages.userMissing],
  ["a key alone", () => ({ Key: demoMasterKey }), messages.userMissing],
  ["an empty userName", () => ({ userName: "", Key: demoMasterKey }), messages.userMissing],
  ["an empty userName and a wrong key", () => ({ userName: "", Key: "wrong" }), messages.userMissing],
  ["OMS credentials", () => ({ AccountID: idOf(), Key: keyOf() }), messages.userMissing],
  ["an unknown user", () => ({ userName: "nobody", Key: demoMasterKey }), messages.userUnknown],
  ["an unknown user and a wrong key", () => ({ userName: "nobody", Key: "wrong" }), messages.userUnknown],
  ["an unknown user and no key", () => ({ userName: "nobody" }), messages.userUnknown],
  ["a user name in other letters", () => ({ userName: "Manager", Key: demoMasterKey }), messages.userUnknown],
  [
    "a user name with more at its end",
    () => ({ userName: "manager .", Key: demoMasterKey }),
    messages.userUnknown,
  ],
  ["a user without permission", () => ({ userName: "viewer", Key: demoMasterKey }), messages.userUnknown],
  [
    "a user without permission and a wrong key",
    () => ({ userName: "viewer", Key: "wrong" }),
    messages.userUnknown,
  ],
  ["no key", () => ({ userName: "manager" }), messages.key, missingKey("warehouse")],
  ["an empty key", () => ({ userName: "manager", Key: "" }), messages.key, missingKey("warehouse")],
  ["a wrong key", () => ({ userName: "manager", Key: "wrong" }), messages.key],
  ["an account's key", () => ({ userName: "manager", Key: keyOf() }), messages.key],
  ["the user's password", () => ({ userName: "manager", Key: "demo-password" }), messages.key],
  ["a dormant user and a wrong key", () => ({ userName: "dormant", Key: "wrong" }), messages.key],
  [
    "a dormant user and the master key",
    () => ({ userName: "dormant", Key: demoMasterKey }),
    messages.userDormant,
  ],
];

describe.each([
  ["OMS", oms, refusedByOms],
  ["WMS", wms, refusedByWms],
] as const)("%s credentials", (_area, area, refused) => {
  test.each<Refused>([...refused])(
    "%s is 401 with the interface's text, and what is wrong with the key",
    async (_case, headers, message, advice) => {
      const answer = await ping(area, headers());

      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(rejection(message, ...keyErrors(advice)));
    },
  );
});

test.each<[string, string, () => Headers]>([
  [oms, "as documented", () => ({ AccountID: idOf(), Key: keyOf() })],
  [oms, "in small letters", () => ({ accountid: idOf(), key: keyOf() })],
  [oms, "in capitals", () => ({ ACCOUNTID: idOf(), KEY: keyOf() })],
  [wms, "as documented", () => ({ userName: "manager", Key: demoMasterKey })],
  [wms, "in small letters", () => ({ username: "manager", key: demoMasterKey })],
  [wms, "in capitals", () => ({ USERNAME: "manager", KEY: demoMasterKey })],
])("header names of %s may be %s", async (area, _case, headers) => {
  const answer = await ping(area, headers());

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ data: { status: "success", result: "pong" } });
});

describe("a change of credentials holds at once", () => {
  test("a new account key replaces the old one", async () => {
    const [oldKey, newKey] = [unique("old"), unique("new")];
    const account_id = await newAccount(oldKey);
    const headers = (Key: string) => ({ AccountID: String(account_id), Key });
    const before = await statusesOf(oms, headers(oldKey));

    await putAccount(service.db, { ...account, account_id, key: newKey });
    const [withOld, withNew] = [
      await statusesOf(oms, headers(oldKey)),
      await statusesOf(oms, headers(newKey)),
    ];

    expect(before).toEqual(new Set([200]));
    expect(withOld).toEqual(new Set([401]));
    expect(withNew).toEqual(new Set([200]));
  });

  test("a key that becomes read-only writes no more", async () => {
    const key = unique("key");
    const account_id = await newAccount(key);
    const caller = service.with({ AccountID: String(account_id), Key: key });
    const before = await caller.post(`${oms}/inventory/products`, { data: [productOf()] });

    await putAccount(service.db, { ...account, account_id, key_scope: "read", key });
    const after = await caller.post(`${oms}/inventory/products`, { data: [productOf()] });

    expect(before.status).toBe(200);
    expect(after.status).toBe(403);
  });

  test("a deactivated account is refused, and an activated one answered", async () => {
    const key = unique("key");
    const account_id = await newAccount(key);
    const headers = { AccountID: String(account_id), Key: key };
    const before = await statusesOf(oms, headers);

    await putAccount(service.db, { ...account, account_id, key, activated: false });
    const deactivated = await statusesOf(oms, headers);
    const answer = await ping(oms, headers);
    await putAccount(service.db, { ...account, account_id, key });
    const activated = await statusesOf(oms, headers);

    expect(before).toEqual(new Set([200]));
    expect(deactivated).toEqual(new Set([401]));
    expect(answer.body).toEqual(rejection(messages.accountDormant));
    expect(activated).toEqual(new Set([200]));
  });

  test("a new account is answered", async () => {
    const key = unique("key");
    const unknown = await ping(oms, { AccountID: String(lastAccount + 1), Key: key });

    const account_id = await newAccount(key);
    const known = await ping(oms, { AccountID: String(account_id), Key: key });

    expect(unknown.body).toEqual(rejection(messages.accountUnknown));
    expect(known.status).toBe(200);
  });

  test("a deactivated user is refused, and one without permission too", async () => {
    const user_name = await newUser(service);
    const headers = { userName: user_name, Key: demoMasterKey };
    const before = await statusesOf(wms, headers);

    await permitUser(service.db, user_name, { activated: false });
    const deactivated = await ping(wms, headers);
    await permitUser(service.db, user_name, { wms: false });
    const withoutPermission = await ping(wms, headers);

    expect(before).toEqual(new Set([200]));
    expect(deactivated.body).toEqual(rejection(messages.userDormant));
    expect(withoutPermission.body).toEqual(rejection(messages.userUnknown));
  });
});
