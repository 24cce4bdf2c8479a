/**
 * Accounts, which are the online stores and ERPs that call the service, and the keys of accounts and of the
 * warehouse.
 */
import * as z from "zod/mini";
import { type Account, findAccount } from "../../../shared/accounts/account-repository.ts";
import { maxBurst, maxPerSecond, requestLimit } from "../../../shared/accounts/request-limit.ts";
import { newKey } from "../../../shared/auth/secrets.ts";
import { id as anyId } from "../../../shared/common/fields.ts";
import { accountOf, changeAccount, insertAccount, limitAccount, readAccounts } from "../accounts.ts";
import { type Answer, listed, reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { flag, id, number, oneOf, title } from "../cli/fields.ts";
import type { Session } from "../cli/session.ts";
import { putMasterKey } from "../registry.ts";
import { isTestAccountId, testAccountIds } from "../smoke/test-account.ts";
import { figuresOf, figureTables } from "./reading/accounts.ts";

const tables = ["identity"] as const;

const newId = number(
  anyId.check(z.refine((accountId) => !isTestAccountId(accountId))),
  `a whole number of at least 1, but not from ${testAccountIds.first} to ${testAccountIds.last}: which are reserved for operator smoke`,
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

const withKey = (account: ReturnType<typeof shown>, key: string): Answer =>
  withNewKey(reply(`AccountID ${account.account_id}`, account), key);

const withNewKey = (answer: Answer, key: string): Answer => ({
  ...answer,
  secrets: { data: { key }, text: `Key ${key}\nThe key is not shown again.` },
});

/** The account that a command names, for the log of changes. */
const recordOf = async ({ db }: Session, accountId: number) => {
  const account = await findAccount(db, accountId);
  return account && shown(account);
};

/** Changes an account, and answers with the changed account. */
async function changed(
  { db }: Session,
  accountId: number,
  text: string,
  fields: Partial<Pick<Account, "name" | "activated" | "key_scope" | "sandbox">>,
): Promise<Answer> {
  const account = await accountOf(db, accountId);
  await changeAccount(db, account, fields);
  return reply(text, shown({ ...account, ...fields }));
}

async function limited(
  { db }: Session,
  accountId: number,
  text: string,
  limit: Account["limit"],
): Promise<Answer> {
  const account = await accountOf(db, accountId);
  await limitAccount(db, account, limit);
  return reply(text, shown({ ...account, limit }));
}

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  defineCommand({
    words: `${verb} <id>`,
    summary: activated ? "Allows an account to call the service" : "Rejects all requests of an account",
    about: ["Its key and data do not change."],
    examples: [`accounts ${verb} 100`],
    tables,
    values: z.object({ id }),
    changes: {
      warning: ({ id: accountId }) =>
        activated ? undefined : `All requests of account ${accountId} will be rejected.`,
      isReversible: true,
      record: (session, { id: accountId }) => recordOf(session, accountId),
    },
    run: (session, { id: accountId }) =>
      changed(session, accountId, `Account ${accountId} is ${activated ? "" : "not "}activated.`, {
        activated,
      }),
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
      changes: { record: (session, { id: accountId }) => recordOf(session, accountId) },
      run: async ({ db }, { id: account_id, name, readOnly, deactivated, sandbox }) => {
        const key = newKey();
        const key_scope = readOnly ? ("read" as const) : ("write" as const);
        const account = { account_id, name, activated: !deactivated, key_scope, ...(sandbox && { sandbox }) };
        await insertAccount(db, { ...account, key });
        return withKey(shown(account), key);
      },
    }),
    defineCommand({
      words: "show <id>",
      summary: "Shows an account, its orders by status, its webhooks and its events",
      examples: ["accounts show 100", "accounts show 100 --json"],
      tables: figureTables,
      values: z.object({ id }),
      run: async ({ db }, { id: accountId }) => {
        const account = await accountOf(db, accountId);
        const whole = { ...shown(account), ...(await figuresOf(db, account)) };
        return reply(JSON.stringify(whole, null, 2), whole);
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
      changes: { record: (session, { id: accountId }) => recordOf(session, accountId) },
      run: (session, { id: accountId, name }) =>
        changed(session, accountId, `Account ${accountId} is ${name}.`, { name }),
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
      changes: { record: (session, { id: accountId }) => recordOf(session, accountId) },
      run: (session, { id: accountId, switch: wanted }) =>
        changed(session, accountId, `Account ${accountId} is ${wanted === "on" ? "a" : "no"} sandbox.`, {
          sandbox: wanted === "on",
        }),
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
      changes: { record: (session, { id: accountId }) => recordOf(session, accountId) },
      run: (session, { id: accountId, perSecond: per_second, atOnce: burst }) => {
        const text = `Account ${accountId} may send ${per_second} requests a second, and ${burst} at once.`;
        return limited(session, accountId, text, { per_second, burst });
      },
    }),
    defineCommand({
      words: "unlimit <id>",
      summary: "Removes the limit of an account's requests",
      examples: ["accounts unlimit 100"],
      tables,
      values: z.object({ id }),
      changes: { record: (session, { id: accountId }) => recordOf(session, accountId) },
      run: (session, { id: accountId }) =>
        limited(session, accountId, `Account ${accountId} has no limit of requests.`, undefined),
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
      changes: {
        warning: ({ account }) => `The current key of account ${account} will become invalid at once.`,
        record: (session, { account }) => recordOf(session, account),
      },
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
      changes: {
        warning: ({ account, scope }) =>
          scope === "read"
            ? `All writes of account ${account} will be rejected.`
            : `The key of account ${account} will allow writes.`,
        isReversible: true,
        record: (session, { account }) => recordOf(session, account),
      },
      run: (session, { account: accountId, scope: key_scope }) =>
        changed(session, accountId, `The key of account ${accountId} may ${key_scope}.`, { key_scope }),
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
      changes: { warning: () => "All warehouse users will need the new key at once." },
      run: async ({ db }) => {
        const key = newKey();
        await putMasterKey(db, key);
        return withNewKey(reply("The warehouse has a new master key.", {}), key);
      },
    }),
  ],
};
