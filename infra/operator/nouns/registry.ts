/** What every registry offers: its entries listed, added, and brought in and out as files. */
import * as z from "zod/mini";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { accountOf } from "../accounts.ts";
import { listed, reply } from "../cli/answer.ts";
import { type Attach, defineCommand, type Noun } from "../cli/command.ts";
import { file as fileName, id } from "../cli/fields.ts";
import { broughtIn, type Entries, type EntryKind } from "../import/registry.ts";
import { writeRows } from "../import/rows.ts";

/** What of a registry is its own. */
interface Common<T> extends EntryKind<T> {
  readonly name: string;
  readonly summary: string;
  /** The arguments of an entry, in the order of the schema's fields. */
  readonly words: string;
  /** The arguments of an entry, as an example. */
  readonly example: string;
}

/** A registry of each account. */
interface OfAccounts<T> extends Common<T> {
  readonly read: (db: Database, accountId: number) => Promise<readonly T[]>;
  readonly put: (db: Database, accountId: number, entry: T) => Promise<void>;
}

/** A registry of the whole warehouse. */
interface OfWarehouse<T> extends Common<T> {
  readonly read: (db: Database) => Promise<readonly T[]>;
  readonly put: (db: Database, entry: T) => Promise<void>;
  /** @throws Usage where an entry does not fit those that are known */
  readonly check?: (db: Database, entry: T, known: readonly T[]) => Promise<void>;
}

/** Where a registry's commands find the entries: what they take before all other arguments. */
interface Scope<T, W> {
  /** `<account> `, or nothing. */
  readonly words: string;
  readonly example: string;
  readonly schema: z.ZodMiniType<W>;
  readonly entries: (db: Database, where: W) => Promise<Entries<T>>;
}

const accountField = z.object({ account: id });
const nothing = z.object({});

export const accountRegistry = <T extends object>(own: OfAccounts<T>): Noun =>
  registryOf(own, {
    words: "<account> ",
    example: "100 ",
    schema: accountField,
    entries: async (db, { account }) => {
      await accountOf(db, account);
      return {
        read: () => own.read(db, account),
        put: (entry) => own.put(db, account, entry),
        check: async () => undefined,
      };
    },
  });

export const warehouseRegistry = <T extends object>(own: OfWarehouse<T>): Noun =>
  registryOf(own, {
    words: "",
    example: "",
    schema: nothing,
    entries: async (db) => ({
      read: () => own.read(db),
      put: (entry) => own.put(db, entry),
      check: async (entry, known) => own.check?.(db, entry, known),
    }),
  });

function registryOf<T extends object, W>(own: Common<T>, scope: Scope<T, W>): Noun {
  const { name, summary } = own;
  const commands = [listing, adding, importing, exporting].map((command) => command(own, scope));
  return { name, summary, commands };
}

const tables = ["identity"] as const;

const listing = <T extends object, W>(
  { name, title }: Common<T>,
  { words, example, schema, entries }: Scope<T, W>,
): Attach =>
  defineCommand({
    words: `list ${words}`.trim(),
    summary: `Lists each ${title}`,
    examples: [`${name} list ${example}`.trim()],
    tables,
    values: schema,
    run: async ({ db }, where) => {
      const all = await (await entries(db, where)).read();
      return listed(
        all.map((one) => Object.fromEntries(Object.entries(one))),
        `There is no ${title}.`,
      );
    },
  });

/** Reads what is written both as the place of a registry and as something else. */
const alongside = <W, V>(where: z.ZodMiniType<W>, what: z.ZodMiniType<V>) =>
  z.pipe(
    z.transform((written: unknown) => written),
    z.transform((written: unknown, context): { readonly where: W; readonly what: V } => {
      const [first, second] = [z.safeParse(where, written), z.safeParse(what, inSnakeCase(written))];
      if (first.success && second.success) return { where: first.data, what: second.data };
      for (const { path, message } of [...(first.error?.issues ?? []), ...(second.error?.issues ?? [])])
        context.issues.push({ code: "custom", path: [...path], message, input: written });
      return z.NEVER;
    }),
  );

const adding = <T extends object, W>(
  { name, title, words: fields, example: values, schema: entry, key }: Common<T>,
  { words, example, schema, entries }: Scope<T, W>,
): Attach =>
  defineCommand({
    words: `add ${words}${fields}`,
    summary: `Adds a ${title}, or overwrites it`,
    examples: [`${name} add ${example}${values}`],
    tables,
    values: alongside<W, T>(schema, entry),
    run: async ({ db }, { where, what }) => {
      const { read, put, check } = await entries(db, where);
      await check(what, await read());
      await put(what);
      return reply(`The ${title} ${key(what)} is set up.`, what);
    },
  });

const fileField = z.object({ file: fileName });

const importing = <T extends object, W>(
  registry: Common<T>,
  { words, example, schema, entries }: Scope<T, W>,
): Attach =>
  defineCommand({
    words: `import ${words}<file>`,
    summary: `Adds each ${registry.title} of a .csv, .json or .jsonl file`,
    about: [
      `The columns are ${Object.keys(registry.schema.shape).join(", ")}.`,
      "Rows that say what is there already are skipped. What is refused is listed with its row and column.",
    ],
    examples: [`${registry.name} import ${example}${registry.name}.csv`],
    tables,
    values: alongside(schema, fileField),
    run: async (session, { where, what: { file } }) =>
      broughtIn(session, file, registry, await entries(session.db, where)),
  });

const exporting = <T extends object, W>(
  { name, title, schema: entry }: Common<T>,
  { words, example, schema, entries }: Scope<T, W>,
): Attach =>
  defineCommand({
    words: `export ${words}<file>`,
    summary: `Writes each ${title} to a new .csv or .json file, as an import reads it`,
    examples: [`${name} export ${example}${name}.csv`],
    tables,
    values: alongside(schema, fileField),
    run: async ({ db }, { where, what: { file } }) => {
      const all = await (await entries(db, where)).read();
      writeRows(file, Object.keys(entry.shape), all);
      return reply(`Entries written: ${all.length}.`, { file, entries: all.length });
    },
  });

/** Fields as a schema names them: `store_id` for the argument `store-id`. */
const inSnakeCase = (written: unknown): object =>
  Object.fromEntries(
    Object.entries(Object(written)).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
