/** The operator's commands: everything that the API has no call for. See `helpText`. */
import { hashPassword, newPassword } from "../../shared/auth/passwords.ts";
import { newKey } from "../../shared/auth/secrets.ts";
import { newTotpSecret, totpUri } from "../../shared/auth/totp.ts";
import { Problem } from "../../shared/domain/problem.ts";
import type { Database } from "../../shared/store/database.ts";
import { tableSchemas } from "../../shared/store/tables.ts";
import { type Command, type CommandGroup, number, text, Usage } from "./command.ts";
import { limitCommands } from "./limits.ts";
import { listCommands } from "./lists.ts";
import { manufactureCommands } from "./manufacture.ts";
import { orderCommands } from "./orders.ts";
import { pastCommands } from "./past.ts";
import * as registry from "./registry.ts";
import { putUser, revokeSessions } from "./users.ts";

const helpText = `Sets up accounts, users and registries, moves orders on and keeps the tables. Works with the AWS
credentials of this shell, on the tables that variables such as TABLE_IDENTITY name (outputs of the Data stack).

Set up; running a command again overwrites what it set up before (TABLE_IDENTITY):

  account ID NAME [read-only]                      an account; prints its new key, which replaces an old one at once
  deactivated-account ID NAME                      the same, not activated
  limit-requests ACCOUNT PER_SECOND BURST          how many requests the account may send: PER_SECOND on average, BURST at once
  limit-requests ACCOUNT off                       as many as it likes, as at first
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

The same (TABLE_INVENTORY and TABLE_TALLIES):

  manufacture-order ACCOUNT NUMBER SKU QUANTITY [STATUS] [DUE_DATE]
                                                   found by its NUMBER; STATUS is Pending, Processing, Completed or
                                                   Cancelled, DUE_DATE a date such as 2026-01-31

Move an order on (TABLE_ORDERS, TABLE_INVENTORY, TABLE_TALLIES, TABLE_DIRECTORY and TABLE_JOBS):

  release-order ORDER_ID                           Pending to Processing, for whoever picks it
  ship-order ORDER_ID [TRACKING] [CARRIER]         Processing to Shipped, once everything is picked; TRACKING may be ""

Keep the tables (TABLE_ORDERS, TABLE_INVENTORY and TABLE_TALLIES):

  rebuild-list NAME                                recomputes what a list is filtered by and its totals, such as those of
                                                   \`order\`, while it is in use; to be run once a version that filters a
                                                   list by something else is deployed, from that very commit, for others
                                                   would undo what the service stores; the credentials must also allow
                                                   dynamodb:Scan; can be stopped and run again, and must be where it
                                                   names blocks that were too busy
  export-history BEFORE FILE                       writes what drop-history would drop to a new file, one JSON object a
                                                   line
  drop-history BEFORE                              drops movements from before a date such as 2024-01-31, two years back
                                                   or more, and changes of Shipped and Cancelled orders; what movements
                                                   came to is carried forward, so they still add up to the stock; can
                                                   be stopped and run again. Both need dynamodb:Scan, too
`;

const place = (value: string | undefined, what: string): string => {
  if (!/^[A-Za-z0-9]{1,50}$/.test(text(value, what)))
    throw new Usage(`${what} must be 1 to 50 letters and digits`);
  return text(value, what);
};

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

const setUp: CommandGroup["commands"] = {
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

const groups: readonly CommandGroup[] = [
  { tables: ["identity"], commands: setUp },
  limitCommands,
  manufactureCommands,
  orderCommands,
  listCommands,
  pastCommands,
];

/** Several names in a sentence. */
const listed = new Intl.ListFormat("en-GB");

type Variables = Readonly<Record<string, string | undefined>>;

async function run(
  [name = "", ...values]: readonly string[],
  named: Variables,
  connect: () => Database,
  print: (line: string) => void,
): Promise<string> {
  const group = groups.find(({ commands }) => Object.hasOwn(commands, name));
  const command = group?.commands[name];
  if (group === undefined || command === undefined) throw new Usage(helpText);
  const variables = group.tables.map((table) => tableSchemas[table].variable);
  const missing = variables.filter((variable) => !named[variable]);
  if (missing.length > 0) {
    const tables = missing.length === 1 ? "the table" : "the tables";
    throw new Usage(`${listed.format(missing)} must name ${tables}; see the Data stack's outputs`);
  }
  return command(connect(), values, print);
}

/** How a command ended: with the process status 0, or with 1 and why it failed. */
export type Ending = { readonly status: 0 } | { readonly status: 1; readonly failure: string };

/**
 * Carries out the command that these words are, and prints what it tells the operator, line by line. It connects to the
 * tables only where the variables name those that the command needs. It never throws.
 */
export async function operate(
  words: readonly string[],
  variables: Variables,
  connect: () => Database,
  print: (line: string) => void,
): Promise<Ending> {
  try {
    print(await run(words, variables, connect, print));
    return { status: 0 };
  } catch (error) {
    const meant = error instanceof Usage || error instanceof Problem;
    return { status: 1, failure: meant ? error.message : String(error) };
  }
}
