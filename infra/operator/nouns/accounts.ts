/**
 * Accounts, which are the online stores and ERPs that call the service, and the keys of accounts and of the
 * warehouse.
 */
import * as z from "zod/mini";
import type { Account } from "../../../shared/accounts/account-repository.ts";
import { maxBurst, maxPerSecond, requestLimit } from "../../../shared/accounts/request-limit.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { id as anyId } from "../../../shared/common/fields.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { accountOf, changeAccount, insertAccount, limitAccount, readAccounts } from "../accounts.ts";
import { type Answer, listed, reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { flag, id, number, oneOf, title } from "../cli/fields.ts";
import { putMasterKey } from "../registry.ts";
import { isTestAccountId, testAccountIds } from "../smoke/test-account.ts";

const tables = ["identity"] as const;

const newId = number(
  anyId.check(z.refine((accountId) => !isTestAccountId(accountId))),
  `a whole number of at least 1, but not from ${testAccountIds.first} to ${testAccountIds.last}: which are reserved for operator smoke`,
);

/** An account without the hash of its key. */
const shown = ({ account_id, name, activated, key_scope, limit, sandbox = false }: Account) => ({
  account_id,
  name,
  activated,
  key_scope,
  requests_per_second: limit?.per_second ?? null,
  requests_at_once: limit?.burst ?? null,
  sandbox,
});

const withKey = (account: Omit<Account, "key_hash">, key: string): Answer =>
  reply(`AccountID ${account.account_id}\nKey ${key}\nThe key is not shown again.`, { ...account, key });

/** Changes an account, and answers with the changed account. */
async function changed(
  db: Database,
  accountId: number,
  text: string,
  change: (account: Account) => Promise<void>,
): Promise<Answer> {
  await change(await accountOf(db, accountId));
  return reply(text, shown(await accountOf(db, accountId)));
}

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  defineCommand({
    words: `${verb} <id>`,
    summary: activated ? "Allows an account to call the service" : "Rejects all requests of an account",
    about: ["Its key and data do not change."],
    examples: [`accounts ${verb} 100`],
    tables,
    values: z.object({ id }),
    run: ({ db }, { id: accountId }) =>
      changed(db, accountId, `Account ${accountId} is ${activated ? "" : "not "}activated.`, (account) =>
        changeAccount(db, account, { activated }),
      ),
  });

export const accounts: Noun = {
  name: "accounts",
  summary: "Online stores and ERPs that call the service",
  commands: [
    defineCommand({
      words: "list",
      summary: "Lists all accounts",
      about: ["The command scans the table of accounts and registries. It requires dynamodb:Scan."],
      examples: ["accounts list", "accounts list --json"],
      tables,
      values: z.object({}),
      run: async ({ db }) => listed((await readAccounts(db)).map(shown), "There are no accounts."),
    }),
    defineCommand({
      words: "create <id> <name>",
      summary: "Creates an account, and prints its key once",
      options: {
        "--read-only": "allow the key only to read",
        "--deactivated": "do not allow the account to call the service yet",
        "--sandbox": "let the account have the warehouse simulated",
      },
      examples: ['accounts create 100 "My Store"', 'accounts create 101 "Reports" --read-only'],
      tables,
      values: z.object({ id: newId, name: title, readOnly: flag, deactivated: flag, sandbox: flag }),
      run: async ({ db }, { id: account_id, name, readOnly, deactivated, sandbox }) => {
        const key = newKey();
        const key_scope = readOnly ? ("read" as const) : ("write" as const);
        const account = { account_id, name, activated: !deactivated, key_scope, ...(sandbox && { sandbox }) };
        await insertAccount(db, { ...account, key });
        return withKey(account, key);
      },
    }),
    activation("activate", true),
    activation("deactivate", false),
    defineCommand({
      words: "rename <id> <name>",
      summary: "Renames an account",
      examples: ['accounts rename 100 "My Better Store"'],
      tables,
      values: z.object({ id, name: title }),
      run: ({ db }, { id: accountId, name }) =>
        changed(db, accountId, `Account ${accountId} is ${name}.`, (account) =>
          changeAccount(db, account, { name }),
        ),
    }),
    defineCommand({
      words: "sandbox <id> <switch>",
      summary: "Sets whether an account may have the warehouse simulated: on or off",
      about: [
        "In a sandbox, the account's own calls pick, ship and return its orders. It is for trying, not for real goods.",
      ],
      examples: ["accounts sandbox 100 on"],
      tables,
      values: z.object({ id, switch: oneOf(["on", "off"]) }),
      run: ({ db }, { id: accountId, switch: wanted }) =>
        changed(
          db,
          accountId,
          `Account ${accountId} is ${wanted === "on" ? "a" : "no"} sandbox.`,
          (account) => changeAccount(db, account, { sandbox: wanted === "on" }),
        ),
    }),
    defineCommand({
      words: "limit <id> <per-second> <at-once>",
      summary: "Limits an account's requests: the average per second, and the burst",
      about: ["Requests above the limit get the status 429. The limit takes effect within seconds."],
      examples: ["accounts limit 100 50 200"],
      tables,
      values: z.object({
        id,
        perSecond: number(requestLimit.shape.per_second, `a whole number from 1 to ${maxPerSecond}`),
        atOnce: number(requestLimit.shape.burst, `a whole number from 1 to ${maxBurst}`),
      }),
      run: ({ db }, { id: accountId, perSecond: per_second, atOnce: burst }) => {
        const text = `Account ${accountId} may send ${per_second} requests a second, and ${burst} at once.`;
        return changed(db, accountId, text, (account) => limitAccount(db, account, { per_second, burst }));
      },
    }),
    defineCommand({
      words: "unlimit <id>",
      summary: "Removes the limit of an account's requests",
      examples: ["accounts unlimit 100"],
      tables,
      values: z.object({ id }),
      run: ({ db }, { id: accountId }) =>
        changed(db, accountId, `Account ${accountId} has no limit of requests.`, (account) =>
          limitAccount(db, account, undefined),
        ),
    }),
  ],
};

export const keys: Noun = {
  name: "keys",
  summary: "API keys of accounts. Each account has one key",
  commands: [
    defineCommand({
      words: "rotate <account>",
      summary: "Replaces an account's key, and prints the new key once",
      about: [
        "The old key becomes invalid at once. The scope of the key, and whether the account is activated, do not change.",
      ],
      examples: ["keys rotate 100", "keys rotate 100 --yes --json"],
      tables,
      values: z.object({ account: id }),
      confirms: ({ account }) =>
        `The current key of account ${account} will become invalid at once. Continue?`,
      run: async ({ db }, { account: accountId }) => {
        const account = await accountOf(db, accountId);
        const key = newKey();
        await changeAccount(db, account, { key });
        return withKey(shown(account), key);
      },
    }),
    defineCommand({
      words: "scope <account> <scope>",
      summary: "Sets whether an account's key may write, or only read: write or read",
      examples: ["keys scope 100 read"],
      tables,
      values: z.object({ account: id, scope: oneOf(["write", "read"]) }),
      run: ({ db }, { account: accountId, scope: key_scope }) =>
        changed(db, accountId, `The key of account ${accountId} may ${key_scope}.`, (account) =>
          changeAccount(db, account, { key_scope }),
        ),
    }),
  ],
};

export const masterKey: Noun = {
  name: "master-key",
  summary: "The key that all warehouse users send",
  commands: [
    defineCommand({
      words: "rotate",
      summary: "Creates a new master key, and prints it once",
      about: ["A new deployment has no master key. The old key becomes invalid at once."],
      examples: ["master-key rotate --yes"],
      tables,
      values: z.object({}),
      confirms: () => "All warehouse users will need the new key at once. Continue?",
      run: async ({ db }) => {
        const key = newKey();
        await putMasterKey(db, key);
        return reply(`Key ${key}\nThe key is not shown again.`, { key });
      },
    }),
  ],
};
