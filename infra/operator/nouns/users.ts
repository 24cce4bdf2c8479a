/** Warehouse users: who may use the WMS, and what they sign in with. */

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
import { scanPages } from "../../../shared/store/dynamodb/scan.ts";
import { type Answer, listed, reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { flag, oneOf, userName } from "../cli/fields.ts";
import {
  insertUser,
  noUser,
  type Permissions,
  permitUser,
  renewCredentials,
  revokeSessions,
} from "../users.ts";

const tables = ["identity"] as const;

const shown = ({ user_id, user_name, activated, wms }: WarehouseUser) => ({
  user_id,
  user_name,
  activated,
  wms,
});

async function readUsers(db: Database): Promise<readonly WarehouseUser[]> {
  const found: WarehouseUser[] = [];
  for await (const items of scanPages(db, { table: "identity", partitions: ["user#"] }))
    found.push(...items.flatMap((item) => z.safeParse(warehouseUser, item).data ?? []));
  return found.toSorted((left, right) => left.user_id - right.user_id);
}

async function existing(db: Database, name: string): Promise<WarehouseUser> {
  const user = parsed(warehouseUser, await getItem(db, userLookup(name)));
  if (user === undefined) throw noUser(name);
  return user;
}

async function permit(db: Database, name: string, set: Permissions) {
  await permitUser(db, name, set);
  return shown(await existing(db, name));
}

/** New credentials of a user, as they are printed once. */
interface Secrets {
  readonly password?: string;
  readonly totp_secret?: string;
}

function withSecrets(user: object, name: string, { password, totp_secret }: Secrets): Answer {
  const uri = totp_secret === undefined ? undefined : totpUri(name, totp_secret);
  const lines = [
    `userName ${name}`,
    ...Object.entries(user).flatMap(([field, value]) => (field === "user_id" ? [`User-Id ${value}`] : [])),
    ...(password === undefined ? [] : [`Password ${password}`]),
    ...(uri === undefined ? [] : [uri, "", renderUnicodeCompact(uri)]),
    "What is printed here is shown only now.",
    ...(uri === undefined ? [] : ["The authenticator application scans the picture."]),
  ];
  const data = { ...user, ...(password && { password }), ...(uri && { totp_uri: uri, totp_secret }) };
  return reply(lines.join("\n"), data);
}

const activation = (verb: "activate" | "deactivate", activated: boolean) =>
  defineCommand({
    words: `${verb} <name>`,
    summary: activated ? "Lets a user sign in" : "Refuses a user from now on, and ends all sessions",
    about: ["Password and second factor stay as they are."],
    examples: [`users ${verb} ada`],
    tables,
    values: z.object({ name: userName }),
    run: async ({ db }, { name }) => {
      const user = await permit(db, name, { activated });
      return reply(`User ${name} is ${activated ? "activated" : "not activated"}.`, user);
    },
  });

/** Gives a user a new password, a new second factor, or both. What is not renewed stays. */
async function renew(
  db: Database,
  name: string,
  which: readonly ("password" | "totp_secret")[],
): Promise<Answer> {
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
  return withSecrets(shown(user), name, {
    ...(password && { password }),
    ...(totp_secret && { totp_secret }),
  });
}

const renewal = (verb: "password" | "two-factor", which: "password" | "totp_secret", summary: string) =>
  defineCommand({
    words: `${verb} <name>`,
    summary,
    about: ["The old one is void, and all sessions end. A user without credentials is given both."],
    examples: [`users ${verb} ada`],
    tables,
    values: z.object({ name: userName }),
    confirms: ({ name }) => `User ${name} can't sign in with the present one any more. Go on?`,
    run: ({ db }, { name }) => renew(db, name, [which]),
  });

export const users: Noun = {
  name: "users",
  summary: "Warehouse users, and what they sign in with",
  commands: [
    defineCommand({
      words: "list",
      summary: "Lists all users",
      about: ["It reads the table of accounts and registries whole, and needs dynamodb:Scan."],
      examples: ["users list"],
      tables,
      values: z.object({}),
      run: async ({ db }) => listed((await readUsers(db)).map(shown), "There are no users."),
    }),
    defineCommand({
      words: "create <name>",
      summary: "Creates a user, and prints the password and the second factor once",
      options: { "--no-wms": "the user may not use the WMS", "--deactivated": "the user can't sign in yet" },
      examples: ["users create ada", "users create ada --json"],
      tables,
      values: z.object({ name: userName, wms: z._default(z.boolean(), true), deactivated: flag }),
      run: async ({ db }, { name: user_name, wms, deactivated }) => {
        const [password, totp_secret] = [newPassword(), newTotpSecret()];
        const user = { user_name, activated: !deactivated, wms };
        const credentials = { password: await hashPassword(password), totp_secret };
        const user_id = await insertUser(db, user, credentials);
        return withSecrets({ user_id, ...user }, user_name, { password, totp_secret });
      },
    }),
    activation("activate", true),
    activation("deactivate", false),
    defineCommand({
      words: "permit <name> <wms>",
      summary: "Says whether a user may use the WMS: yes or no",
      about: ["All sessions of the user end."],
      examples: ["users permit ada no"],
      tables,
      values: z.object({ name: userName, wms: oneOf(["yes", "no"]) }),
      run: async ({ db }, { name, wms }) => {
        const user = await permit(db, name, { wms: wms === "yes" });
        return reply(`User ${name} ${wms === "yes" ? "may" : "may not"} use the WMS.`, user);
      },
    }),
    renewal("password", "password", "Gives a user a new password, and prints it once"),
    renewal(
      "two-factor",
      "totp_secret",
      "Gives a user a new second factor, and prints it once, also as a QR code",
    ),
    defineCommand({
      words: "revoke <name>",
      summary: "Ends all sessions of a user",
      about: ["The user can sign in again."],
      examples: ["users revoke ada"],
      tables,
      values: z.object({ name: userName }),
      run: async ({ db }, { name }) => {
        await revokeSessions(db, name);
        return reply(`All sessions of ${name} are over.`, { user_name: name });
      },
    }),
  ],
};
