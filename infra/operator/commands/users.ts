/** Warehouse users: their permissions and credentials. */

import { renderUnicodeCompact } from "uqr";
import * as z from "zod/mini";
import {
  userLookup,
  type WarehouseUser,
  warehouseUser,
} from "../../../shared/accounts/account-repository.ts";
import { findUserWithCredentials } from "../../../shared/accounts/credential-repository.ts";
import { hashPassword, newPassword } from "../../../shared/auth/passwords.ts";
import { newTotpSecret, totpUri } from "../../../shared/auth/totp.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem, parsed } from "../../../shared/store/dynamodb/reads.ts";
import { scanPages } from "../../data-model/scan.ts";
import { type Commands, defineCommand } from "../cli/command.ts";
import type { CommandContext } from "../cli/context.ts";
import { flag, newName, oneOf, userName } from "../cli/fields.ts";
import { type CommandResult, listed, reply } from "../cli/result.ts";
import { settingOf } from "../cli/setting.ts";
import { insertUser, noUser, type Permissions, permitUser, renewCredentials } from "../set-up/users.ts";

const shown = ({ user_id, user_name, activated, wms }: WarehouseUser) => ({
  user_id,
  user_name,
  activated,
  wms,
});

async function readUsers(db: Database): Promise<readonly WarehouseUser[]> {
  const pages = await Array.fromAsync(scanPages(db, { table: "identity", partitions: ["user#"] }));
  const found = pages.flat().flatMap((item) => z.safeParse(warehouseUser, item).data ?? []);
  return found.toSorted((left, right) => left.user_id - right.user_id);
}

const findUser = async (db: Database, name: string): Promise<WarehouseUser | undefined> =>
  parsed(warehouseUser, await getItem(db, userLookup(name)));

async function existing(db: Database, name: string): Promise<WarehouseUser> {
  const user = await findUser(db, name);
  if (user === undefined) throw noUser(name);
  return user;
}

/** The user that a command names, for the log of changes. */
const recordOf = async ({ db }: CommandContext, { name }: { readonly name: string }) =>
  shown(await existing(db, name));

const setting = settingOf<{ readonly name: string }, Permissions>({
  title: ({ name }) => `User ${name}`,
  record: recordOf,
  save: async ({ db }, { name }, set) => {
    const user = await existing(db, name);
    await permitUser(db, name, set);
    return shown({ ...user, ...set });
  },
});

const user = z.object({ name: userName });

/** New credentials of a user. They are shown only once. */
interface Secrets {
  readonly password?: string | undefined;
  readonly totp_secret?: string | undefined;
}

function withSecrets(user: ReturnType<typeof shown>, { password, totp_secret }: Secrets): CommandResult {
  const { user_id, user_name } = user;
  const totp_uri = totp_secret === undefined ? undefined : totpUri(user_name, totp_secret);
  const lines: string[] = [];
  if (password !== undefined) lines.push(`Password ${password}`);
  if (totp_uri !== undefined) lines.push(totp_uri, "", renderUnicodeCompact(totp_uri));
  lines.push("The credentials are not shown again.");
  if (totp_uri !== undefined) lines.push("Scan the QR code with the authenticator application.");
  return {
    ...reply(`userName ${user_name}\nUser-Id ${user_id}`, user),
    secrets: { data: { password, totp_uri, totp_secret }, text: lines.join("\n") },
  };
}

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  setting({
    words: `users ${verb} <name>`,
    summary: activated
      ? "Allows a user to sign in"
      : "Prevents a user from signing in, and ends all sessions",
    about: ["The password and the second factor do not change."],
    example: `users ${verb} ada`,
    values: user,
    warning: ({ name }) => (activated ? undefined : `User ${name} will be signed out, and kept out.`),
    to: () => ({ activated }),
    says: () => `is ${activated ? "activated" : "not activated"}`,
  });

/** Replaces the password, the second factor, or both. A user without credentials gets both. */
async function renew(
  db: Database,
  name: string,
  which: readonly ("password" | "totp_secret")[],
): Promise<CommandResult> {
  const found = await findUserWithCredentials(db, name);
  if (found === undefined) throw noUser(name);
  const { user, credentials } = found;
  const renewed = credentials === undefined ? (["password", "totp_secret"] as const) : which;
  const password = renewed.includes("password") ? newPassword() : undefined;
  const totp_secret = renewed.includes("totp_secret") ? newTotpSecret() : undefined;
  await renewCredentials(db, name, {
    ...(password && { password: await hashPassword(password) }),
    ...(totp_secret && { totp_secret }),
  });
  return withSecrets(shown(user), { password, totp_secret });
}

const renewal = (verb: "password" | "two-factor", which: "password" | "totp_secret", summary: string) =>
  defineCommand({
    words: `users ${verb} <name>`,
    summary,
    about: ["The old one becomes invalid, and all sessions end. A user without credentials gets both."],
    examples: [`users ${verb} ada`],
    values: user,
    changes: {
      warning: ({ name }) => `User ${name} will no longer be able to sign in with the current one.`,
      record: recordOf,
    },
    run: ({ db }, { name }) => renew(db, name, [which]),
  });

export const users: Commands = [
  defineCommand({
    words: "users list",
    summary: "Lists all users",
    about: ["The command scans the table of accounts and registries. It requires dynamodb:Scan."],
    examples: ["users list"],
    values: z.object({}),
    run: async ({ db }) => listed((await readUsers(db)).map(shown), "There are no users."),
  }),
  defineCommand({
    words: "users create <name>",
    summary: "Creates a user, and prints the password and second factor once",
    options: {
      "--no-wms": "do not allow the user to use the WMS",
      "--deactivated": "do not allow the user to sign in yet",
    },
    examples: ["users create ada", "users create ada --json"],
    values: z.object({ name: newName, wms: z._default(z.boolean(), true), deactivated: flag }),
    changes: {
      record: async ({ db }, { name }) => {
        const found = await findUser(db, name);
        return found && shown(found);
      },
    },
    run: async ({ db }, { name: user_name, wms, deactivated }) => {
      const [password, totp_secret] = [newPassword(), newTotpSecret()];
      const user = { user_name, activated: !deactivated, wms };
      const credentials = { password: await hashPassword(password), totp_secret };
      const user_id = await insertUser(db, user, credentials);
      return withSecrets({ user_id, ...user }, { password, totp_secret });
    },
  }),
  activation("activate", true),
  activation("deactivate", false),
  setting({
    words: "users permit <name> <wms>",
    summary: "Allows or forbids a user to use the WMS: yes or no",
    about: ["All sessions of the user end."],
    example: "users permit ada no",
    values: z.extend(user, { wms: oneOf(["yes", "no"]) }),
    warning: ({ name, wms }) =>
      wms === "yes" ? undefined : `User ${name} will be signed out, and can't use the WMS.`,
    to: ({ wms }) => ({ wms: wms === "yes" }),
    says: ({ wms }) => `${wms === "yes" ? "may" : "may not"} use the WMS`,
  }),
  renewal("password", "password", "Replaces a user's password, and prints it once"),
  renewal(
    "two-factor",
    "totp_secret",
    "Replaces a user's second factor, and prints it once, also as a QR code",
  ),
  setting({
    words: "users revoke <name>",
    summary: "Ends all sessions of a user",
    about: ["The user can sign in again."],
    example: "users revoke ada",
    values: user,
    warning: ({ name }) => `All sessions of user ${name} will end.`,
    to: () => ({}),
    says: () => "has no session any more",
  }),
];
