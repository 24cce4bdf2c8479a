/** Accounts: the online stores and ERPs that call the service. */
import * as z from "zod/mini";
import type { Account } from "../../../shared/accounts/account-repository.ts";
import { maxBurst, maxPerSecond, requestLimit } from "../../../shared/accounts/request-limit.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { id as anyId } from "../../../shared/common/fields.ts";
import { accountOf, changeAccount, insertAccount, limitAccount, readAccounts } from "../accounts.ts";
import { type Answer, listed, reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { flag, id, number, oneOf, title } from "../cli/fields.ts";
import { isTestAccountId, testAccountIds } from "../smoke/test-account.ts";

const tables = ["identity"] as const;

/** The id of a new account. */
const newId = number(
  anyId.check(z.refine((accountId) => !isTestAccountId(accountId))),
  `a whole number of at least 1, and not from ${testAccountIds.first} to ${testAccountIds.last}: these are for operator smoke`,
);

/** An account without the hash of its key. */
const shown = ({ account_id, name, activated, key_scope, limit }: Account) => ({
  account_id,
  name,
  activated,
  key_scope,
  requests_per_second: limit?.per_second ?? null,
  requests_at_once: limit?.burst ?? null,
});

const withKey = (account: Omit<Account, "key_hash">, key: string): Answer =>
  reply(`AccountID ${account.account_id}\nKey ${key}\nThe key is shown only now.`, { ...account, key });

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  defineCommand({
    words: `${verb} <id>`,
    summary: activated ? "Lets an account call the service" : "Refuses all calls of an account from now on",
    about: ["Its key and its data stay as they are."],
    examples: [`accounts ${verb} 100`],
    tables,
    values: z.object({ id }),
    run: async ({ db }, { id: accountId }) => {
      await changeAccount(db, await accountOf(db, accountId), { activated });
      const state = activated ? "activated" : "not activated";
      return reply(`Account ${accountId} is ${state}.`, shown(await accountOf(db, accountId)));
    },
  });

export const accounts: Noun = {
  name: "accounts",
  summary: "Online stores and ERPs that call the service",
  commands: [
    defineCommand({
      words: "list",
      summary: "Lists all accounts",
      about: ["It reads the table of accounts and registries whole, and needs dynamodb:Scan."],
      examples: ["accounts list", "accounts list --json"],
      tables,
      values: z.object({}),
      run: async ({ db }) => listed((await readAccounts(db)).map(shown), "There are no accounts."),
    }),
    defineCommand({
      words: "create <id> <name>",
      summary: "Creates an account, and prints its key once",
      options: {
        "--read-only": "its key only reads",
        "--deactivated": "it can't call the service until it is activated",
      },
      examples: ['accounts create 100 "My Store"', 'accounts create 101 "Reports" --read-only'],
      tables,
      values: z.object({ id: newId, name: title, readOnly: flag, deactivated: flag }),
      run: async ({ db }, { id: account_id, name, readOnly, deactivated }) => {
        const key = newKey();
        const key_scope = readOnly ? "read" : "write";
        const account = { account_id, name, activated: !deactivated, key_scope } as const;
        await insertAccount(db, { ...account, key });
        return withKey(account, key);
      },
    }),
    activation("activate", true),
    activation("deactivate", false),
    defineCommand({
      words: "rename <id> <name>",
      summary: "Gives an account another name",
      examples: ['accounts rename 100 "My Better Store"'],
      tables,
      values: z.object({ id, name: title }),
      run: async ({ db }, { id: accountId, name }) => {
        await changeAccount(db, await accountOf(db, accountId), { name });
        return reply(`Account ${accountId} is ${name}.`, shown(await accountOf(db, accountId)));
      },
    }),
    defineCommand({
      words: "limit <id> <per-second> <at-once>",
      summary: "Says how many requests an account may send: a second on average, and at once",
      about: ["Calls above the limit are answered 429. It holds within seconds."],
      examples: ["accounts limit 100 50 200"],
      tables,
      values: z.object({
        id,
        perSecond: number(requestLimit.shape.per_second, `a whole number from 1 to ${maxPerSecond}`),
        atOnce: number(requestLimit.shape.burst, `a whole number from 1 to ${maxBurst}`),
      }),
      run: async ({ db }, { id: accountId, perSecond: per_second, atOnce: burst }) => {
        await limitAccount(db, await accountOf(db, accountId), { per_second, burst });
        return reply(
          `Account ${accountId} may send ${per_second} requests a second, and ${burst} at once.`,
          shown(await accountOf(db, accountId)),
        );
      },
    }),
    defineCommand({
      words: "unlimit <id>",
      summary: "Lets an account send as many requests as it likes, as at first",
      examples: ["accounts unlimit 100"],
      tables,
      values: z.object({ id }),
      run: async ({ db }, { id: accountId }) => {
        await limitAccount(db, await accountOf(db, accountId), undefined);
        return reply(
          `Account ${accountId} may send as many requests as it likes.`,
          shown(await accountOf(db, accountId)),
        );
      },
    }),
  ],
};

export const keys: Noun = {
  name: "keys",
  summary: "API keys of accounts. Each account has one",
  commands: [
    defineCommand({
      words: "rotate <account>",
      summary: "Gives an account a new key, and prints it once",
      about: [
        "The old key is refused from the next call on. Whether the account is activated, and what the key may do, stays.",
      ],
      examples: ["keys rotate 100", "keys rotate 100 --yes --json"],
      tables,
      values: z.object({ account: id }),
      confirms: ({ account }) => `The present key of account ${account} will be refused at once. Go on?`,
      run: async ({ db }, { account: accountId }) => {
        const account = await accountOf(db, accountId);
        const key = newKey();
        await changeAccount(db, account, { key });
        return withKey(shown(account), key);
      },
    }),
    defineCommand({
      words: "scope <account> <scope>",
      summary: "Says whether an account's key may write, or only reads: write or read",
      examples: ["keys scope 100 read"],
      tables,
      values: z.object({ account: id, scope: oneOf(["write", "read"]) }),
      run: async ({ db }, { account: accountId, scope: key_scope }) => {
        await changeAccount(db, await accountOf(db, accountId), { key_scope });
        return reply(
          `The key of account ${accountId} may ${key_scope}.`,
          shown(await accountOf(db, accountId)),
        );
      },
    }),
  ],
};
