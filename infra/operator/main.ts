/** `npm run operator -- COMMAND …`: sets up what the API does not. See `helpText`. */
import { hashPassword, newPassword } from "../../shared/auth/passwords.ts";
import { newKey } from "../../shared/auth/secrets.ts";
import { newTotpSecret, totpUri } from "../../shared/auth/totp.ts";
import { connect, type Database } from "../../shared/data/database.ts";
import { idIn } from "../../shared/domain/fields.ts";
import * as registry from "./registry.ts";
import { putUser, revokeSessions } from "./users.ts";

const helpText = `Sets up accounts, users and registries in the table that TABLE_IDENTITY names (an output of the Data stack),
with the AWS credentials of this shell. Running a command again overwrites what it set up before.

  account ID NAME [read-only]                      an account; prints its new key, which replaces an old one at once
  deactivated-account ID NAME                      the same, not activated
  master-key                                       a new key for all warehouse users; prints it, replaces the old one
  user NAME                                        a warehouse user; prints a new password and a secret for an authenticator
                                                   application, which replace old ones and end all mobile sessions
  deactivated-user NAME                            the same, not activated and without credentials
  revoke-sessions NAME                             ends all of a user's mobile sessions
  shipping-method ACCOUNT CODE
  store ACCOUNT ID NAME
  supplier ACCOUNT NAME
  package-type ACCOUNT CODE
  distribution-center ID CODE NAME                 every product without one is kept in MAIN
  bin ID LOCATION BIN CENTER_ID CENTER_CODE        a bin and its location; location names are unique in the warehouse
`;

/** A command that makes no sense; its text is all that the operator is shown. */
class Usage extends Error {}

const text = (value: string | undefined, what: string): string => {
  if (value === undefined || value === "") throw new Usage(`${what} is missing`);
  return value;
};

const number = (value: string | undefined, what: string): number => {
  const id = idIn(text(value, what));
  if (id === undefined) throw new Usage(`${what} must be a whole number of at least 1`);
  return id;
};

const place = (value: string | undefined, what: string): string => {
  if (!/^[A-Za-z0-9]{1,50}$/.test(text(value, what)))
    throw new Usage(`${what} must be 1 to 50 letters and digits`);
  return text(value, what);
};

type Command = (db: Database, values: readonly (string | undefined)[]) => Promise<string>;

const account =
  (activated: boolean): Command =>
  async (db, [id, name, scope]) => {
    if (scope !== undefined && scope !== "read-only")
      throw new Usage(`"${scope}" is no scope; only read-only is`);
    const key = newKey();
    const key_scope = scope === undefined ? "write" : "read";
    const account_id = number(id, "ID");
    await registry.putAccount(db, { account_id, name: text(name, "NAME"), activated, key, key_scope });
    return `AccountID ${account_id}\nKey ${key}\nThe key is shown only now.`;
  };

const userName = (value: string | undefined): string => {
  if (text(value, "NAME").length > 100) throw new Usage("NAME must have at most 100 characters");
  return text(value, "NAME");
};

const user: Command = async (db, [name]) => {
  const user_name = userName(name);
  const [password, totp_secret] = [newPassword(), newTotpSecret()];
  const credentials = { password: await hashPassword(password), totp_secret };
  const id = await putUser(db, { user_name, activated: true, wms: true }, credentials);
  return [
    `userName ${user_name}`,
    `User-Id ${id}`,
    `Password ${password}`,
    totpUri(user_name, totp_secret),
    "The password and the address for the authenticator application are shown only now.",
  ].join("\n");
};

const deactivatedUser: Command = async (db, [name]) => {
  const user_name = userName(name);
  await putUser(db, { user_name, activated: false, wms: true });
  return `userName ${user_name}`;
};

const done = async (stored: Promise<void>): Promise<string> => {
  await stored;
  return "Done.";
};

const commands: Readonly<Record<string, Command>> = {
  account: account(true),
  "deactivated-account": account(false),
  user,
  "deactivated-user": deactivatedUser,
  "revoke-sessions": (db, [name]) => done(revokeSessions(db, userName(name))),
  "master-key": async (db) => {
    const key = newKey();
    await registry.putMasterKey(db, key);
    return `Key ${key}\nThe key is shown only now.`;
  },
  "shipping-method": (db, [id, code]) =>
    done(registry.putShippingMethod(db, number(id, "ACCOUNT"), text(code, "CODE"))),
  store: (db, [id, store, name]) =>
    done(
      registry.putStore(db, number(id, "ACCOUNT"), {
        store_id: number(store, "ID"),
        name: text(name, "NAME"),
      }),
    ),
  supplier: (db, [id, name]) => done(registry.putSupplier(db, number(id, "ACCOUNT"), text(name, "NAME"))),
  "package-type": (db, [id, code]) =>
    done(registry.putPackageType(db, number(id, "ACCOUNT"), text(code, "CODE"))),
  "distribution-center": (db, [id, code, name]) =>
    done(
      registry.putDistributionCenter(db, {
        distribution_center_id: number(id, "ID"),
        code: text(code, "CODE"),
        name: text(name, "NAME"),
      }),
    ),
  bin: (db, [id, location, bin, centerId, center]) =>
    done(
      registry.putBin(db, {
        bin_id: number(id, "ID"),
        location: place(location, "LOCATION"),
        bin: place(bin, "BIN"),
        distribution_center_id: number(centerId, "CENTER_ID"),
        distribution_center: text(center, "CENTER_CODE"),
      }),
    ),
};

async function run([name = "", ...values]: readonly string[]): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Usage(helpText);
  if (!process.env["TABLE_IDENTITY"])
    throw new Usage("TABLE_IDENTITY must name the table; see the Data stack's outputs");
  return command(connect(process.env), values);
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Usage ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
