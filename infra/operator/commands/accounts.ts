/**
 * Accounts, which are the online stores and ERPs that call the service, and the keys of accounts and of the
 * warehouse.
 */
import * as z from "zod/mini";
import { type Account, findAccount } from "../../../shared/accounts/account-repository.ts";
import { maxBurst, maxPerSecond } from "../../../shared/accounts/request-limit.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { id as anyId } from "../../../shared/common/fields.ts";
import { type Commands, defineCommand } from "../cli/command.ts";
import type { CommandContext } from "../cli/context.ts";
import { flag, id, number, oneOf, title } from "../cli/fields.ts";
import { type CommandResult, counted, listed, reply, whole } from "../cli/result.ts";
import { settingOf } from "../cli/setting.ts";
import { changeAccount, insertAccount, limitAccount, readAccount, readAccounts } from "../set-up/accounts.ts";
import { putMasterKey } from "../set-up/registry.ts";
import { isTestAccountId, testAccountIds } from "../smoke/test-account.ts";
import { figuresOf } from "./records/account-figures.ts";

const newId = number(
  anyId.check(z.refine((accountId) => !isTestAccountId(accountId))),
  `a whole number of at least 1, but not from ${testAccountIds.first} to ${testAccountIds.last}, which are reserved for operator smoke`,
);

/** An account without the hash of its key. */
const shown = ({
  account_id,
  name,
  activated,
  key_scope,
  limit,
  sandbox = false,
}: Omit<Account, "key_hash">) => ({
  account_id,
  name,
  activated,
  key_scope,
  requests_per_second: limit?.per_second ?? null,
  requests_at_once: limit?.burst ?? null,
  sandbox,
});

const withKey = (account: ReturnType<typeof shown>, key: string): CommandResult =>
  withNewKey(reply(`AccountID ${account.account_id}`, account), key);

const withNewKey = (answer: CommandResult, key: string): CommandResult => ({
  ...answer,
  secrets: { data: { key }, text: `Key ${key}\nThe key is not shown again.` },
});

const account = z.object({ account: id });
type Named = z.output<typeof account>;

/** The account that a command names, for the log of changes. */
const recordOf = async ({ db }: CommandContext, { account: accountId }: Named) =>
  shown(await readAccount(db, accountId));

type AccountSettings = Partial<Pick<Account, "name" | "activated" | "key_scope" | "sandbox" | "limit">>;

const setting = settingOf<Named, AccountSettings>({
  title: ({ account: accountId }) => `Account ${accountId}`,
  record: recordOf,
  save: async ({ db }, { account: accountId }, set) => {
    const before = await readAccount(db, accountId);
    const { limit, ...fields } = set;
    if ("limit" in set) await limitAccount(db, before, limit);
    else await changeAccount(db, before, fields);
    return shown({ ...before, ...set });
  },
});

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  setting({
    words: `accounts ${verb} <account>`,
    summary: activated ? "Allows an account to call the service" : "Refuses all requests of an account",
    about: ["Its key and data do not change."],
    example: `accounts ${verb} 100`,
    values: account,
    warning: ({ account: accountId }) =>
      activated ? undefined : `All requests of account ${accountId} will be refused.`,
    to: () => ({ activated }),
    says: () => `is ${activated ? "" : "not "}activated`,
  });

export const accounts: Commands = [
  defineCommand({
    words: "accounts list",
    summary: "Lists all accounts",
    about: ["The command scans the table of accounts and registries. It requires dynamodb:Scan."],
    examples: ["accounts list", "accounts list --json"],
    values: z.object({}),
    run: async ({ db }) => listed((await readAccounts(db)).map(shown), "There are no accounts."),
  }),
  defineCommand({
    words: "accounts create <id> <name>",
    summary: "Creates an account, and prints its key once",
    options: {
      "--read-only": "allow the key only to read",
      "--deactivated": "do not allow the account to call the service yet",
      "--sandbox": "let the account have the warehouse simulated",
    },
    examples: ['accounts create 100 "My Store"', 'accounts create 101 "Reports" --read-only'],
    values: z.object({ id: newId, name: title, readOnly: flag, deactivated: flag, sandbox: flag }),
    changes: {
      record: async ({ db }, { id: accountId }) => {
        const found = await findAccount(db, accountId);
        return found && shown(found);
      },
    },
    run: async ({ db }, { id: account_id, name, readOnly, deactivated, sandbox }) => {
      const key = newKey();
      const key_scope = readOnly ? ("read" as const) : ("write" as const);
      const account = { account_id, name, activated: !deactivated, key_scope, ...(sandbox && { sandbox }) };
      await insertAccount(db, { ...account, key });
      return withKey(shown(account), key);
    },
  }),
  defineCommand({
    words: "accounts show <account>",
    summary: "Shows an account, its orders by status, its webhooks and its events",
    examples: ["accounts show 100", "accounts show 100 --json"],
    values: account,
    run: async ({ db }, { account: accountId }) => {
      const found = await readAccount(db, accountId);
      return whole({ ...shown(found), ...(await figuresOf(db, found)) });
    },
  }),
  activation("activate", true),
  activation("deactivate", false),
  setting({
    words: "accounts rename <account> <name>",
    summary: "Renames an account",
    example: 'accounts rename 100 "My Better Store"',
    values: z.extend(account, { name: title }),
    to: ({ name }) => ({ name }),
    says: ({ name }) => `is ${name}`,
  }),
  setting({
    words: "accounts sandbox <account> <switch>",
    summary: "Sets whether an account may have the warehouse simulated: on or off",
    about: [
      "In a sandbox, the account's own calls pick, ship and return its orders. It is for trying, not for real goods.",
    ],
    example: "accounts sandbox 100 on",
    values: z.extend(account, { switch: oneOf(["on", "off"]) }),
    to: ({ switch: wanted }) => ({ sandbox: wanted === "on" }),
    says: ({ switch: wanted }) => `is ${wanted === "on" ? "a" : "no"} sandbox`,
  }),
  setting({
    words: "accounts limit <account> <per-second> <at-once>",
    summary: "Limits an account's requests: the average per second, and the burst",
    about: ["Requests above the limit get the status 429. The limit takes effect within seconds."],
    example: "accounts limit 100 50 200",
    values: z.extend(account, {
      perSecond: number(
        z.int().check(z.gte(1), z.lte(maxPerSecond)),
        `a whole number from 1 to ${maxPerSecond}`,
      ),
      atOnce: number(z.int().check(z.gte(1), z.lte(maxBurst)), `a whole number from 1 to ${maxBurst}`),
    }),
    to: ({ perSecond: per_second, atOnce: burst }) => ({ limit: { per_second, burst } }),
    says: ({ perSecond, atOnce }) =>
      `may send ${counted(perSecond, "request")} a second, and ${atOnce} at once`,
  }),
  setting({
    words: "accounts unlimit <account>",
    summary: "Removes the limit of an account's requests",
    example: "accounts unlimit 100",
    values: account,
    to: () => ({ limit: undefined }),
    says: () => "has no limit of requests",
  }),
];

export const keys: Commands = [
  defineCommand({
    words: "keys rotate <account>",
    summary: "Replaces an account's key, and prints the new key once",
    about: [
      "The old key becomes invalid at once. The scope of the key, and whether the account is activated, do not change.",
    ],
    examples: ["keys rotate 100", "keys rotate 100 --yes --json"],
    values: account,
    changes: {
      warning: ({ account: accountId }) =>
        `The current key of account ${accountId} will become invalid at once.`,
      record: recordOf,
    },
    run: async ({ db }, { account: accountId }) => {
      const found = await readAccount(db, accountId);
      const key = newKey();
      await changeAccount(db, found, { key });
      return withKey(shown(found), key);
    },
  }),
  setting({
    words: "keys scope <account> <scope>",
    summary: "Sets whether an account's key may write, or only read: write or read",
    example: "keys scope 100 read",
    values: z.extend(account, { scope: oneOf(["write", "read"]) }),
    warning: ({ account: accountId, scope }) =>
      scope === "read"
        ? `All writes of account ${accountId} will be refused.`
        : `The key of account ${accountId} will allow writes.`,
    to: ({ scope: key_scope }) => ({ key_scope }),
    says: ({ scope }) => `has a key that ${scope === "read" ? "is read-only" : "may write"}`,
  }),
];

export const masterKey: Commands = [
  defineCommand({
    words: "master-key rotate",
    summary: "Creates a new master key, and prints it once",
    about: ["A new deployment has no master key. The old key becomes invalid at once."],
    examples: ["master-key rotate --yes"],
    values: z.object({}),
    changes: { warning: () => "All warehouse users will need the new key at once." },
    run: async ({ db }) => {
      const key = newKey();
      await putMasterKey(db, key);
      return withNewKey(reply("The warehouse has a new master key.", {}), key);
    },
  }),
];
