/**
 * The commands of every registry: its entries are listed, added, imported from files and exported to files.
 */
import * as z from "zod/mini";
import { invalid } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { accountOf } from "../accounts.ts";
import { listed, reply } from "../cli/answer.ts";
import { type CommandGroup, defineCommand } from "../cli/command.ts";
import { file as fileName, flag, id } from "../cli/fields.ts";
import { importRecords } from "../import/importing.ts";
import { type Entries, type EntryKind, importEntries, type Judge } from "../import/registry.ts";
import { escapeOption, writeRows } from "../import/rows.ts";

interface Registry<T> extends EntryKind<T> {
  /** One entry, as a noun: `store`. */
  readonly title: string;
  readonly summary: string;
  /** The arguments of an entry, in the order of the schema's fields. */
  readonly words: string;
  /** Example values of these arguments. */
  readonly example: string;
}

/** A registry that each account has. */
interface AccountRegistry<T> extends Registry<T> {
  readonly read: (db: Database, accountId: number) => Promise<readonly T[]>;
  readonly put: (db: Database, accountId: number, entry: T) => Promise<unknown>;
}

/** A registry of the whole warehouse. */
interface WarehouseRegistry<T> extends Registry<T> {
  readonly read: (db: Database) => Promise<readonly T[]>;
  readonly put: (db: Database, entries: readonly T[]) => Promise<unknown>;
  readonly judge: (db: Database, existing: readonly T[]) => Promise<Judge<T>>;
}

export const accountRegistry = <T extends object>(registry: AccountRegistry<T>): CommandGroup =>
  registryCommand(registry, { words: "<account> ", example: "100 " }, async (db, accountId) => {
    await accountOf(db, accountId);
    return {
      read: () => registry.read(db, accountId),
      put: async (entries) => {
        for (const entry of entries) await registry.put(db, accountId, entry);
      },
      judge: async () => () => undefined,
    };
  });

export const warehouseRegistry = <T extends object>(registry: WarehouseRegistry<T>): CommandGroup =>
  registryCommand(registry, { words: "", example: "" }, async (db) => ({
    read: () => registry.read(db),
    put: async (entries) => void (entries.length > 0 && (await registry.put(db, entries))),
    judge: (existing) => registry.judge(db, existing),
  }));

/** The option of every import. */
export const updateOption = { "--update": "also store rows whose records exist with other values" };

/** The account of an account registry. Commands of the warehouse's registries have no such argument. */
const scope = z.object({ account: z._default(id, 0) });

const scopeAndFile = z.object({ ...scope.shape, file: fileName });

const tables = ["identity"] as const;

/**
 * @param prefix the words before a command's other arguments: those of an account registry name the account
 */
function registryCommand<T extends object>(
  registry: Registry<T>,
  prefix: { readonly words: string; readonly example: string },
  entriesOf: (db: Database, accountId: number) => Promise<Entries<T>>,
): CommandGroup {
  const { name, title, summary, schema, key } = registry;
  const columns = Object.keys(schema.shape);
  return {
    name,
    summary,
    subcommands: [
      defineCommand({
        words: `list ${prefix.words}`.trim(),
        summary: `Lists each ${title}`,
        examples: [`${name} list ${prefix.example}`.trim()],
        tables,
        values: scope,
        run: async ({ db }, { account }) => {
          const entries = await (await entriesOf(db, account)).read();
          return listed(entries, `There is no ${title}.`);
        },
      }),
      defineCommand({
        words: `add ${prefix.words}${registry.words}`,
        summary: `Adds a ${title}, or overwrites it`,
        examples: [`${name} add ${prefix.example}${registry.example}`],
        tables,
        values: z.intersection(scope, entryIn(schema)),
        changes: {
          record: async ({ db }, { account, entry }) =>
            (await (await entriesOf(db, account)).read()).find((one) => key(one) === key(entry)),
        },
        run: async ({ db }, { account, entry }) => {
          const { read, put, judge } = await entriesOf(db, account);
          const conflict = (await judge(await read()))(entry);
          if (conflict !== undefined) throw invalid(conflict);
          await put([entry]);
          return reply(`The ${title} ${key(entry)} is set up.`, entry);
        },
      }),
      defineCommand({
        words: `import ${prefix.words}<file>`,
        summary: `Adds each ${title} in a .csv, .json or .jsonl file`,
        about: [
          `The columns are ${columns.join(", ")}.`,
          "Rows that match existing entries are skipped. Entries that exist with other values are listed, and overwritten only",
          "with --update. Rejected rows are listed with their row and column. The exit status is 4 if a row was not stored.",
        ],
        options: updateOption,
        examples: [`${name} import ${prefix.example}${name}.csv`],
        tables,
        values: z.extend(scopeAndFile, { update: flag }),
        changes: {},
        run: async (session, { account, file, update }) => {
          const entries = await entriesOf(session.db, account);
          return importRecords(session, file, await importEntries(registry, entries, update));
        },
      }),
      defineCommand({
        words: `export ${prefix.words}<file>`,
        summary: `Writes each ${title} to a new .csv or .json file, in the format of an import`,
        examples: [`${name} export ${prefix.example}${name}.csv`],
        tables,
        options: escapeOption,
        values: z.extend(scopeAndFile, { escapeFormulas: flag }),
        run: async ({ db }, { account, file, escapeFormulas }) => {
          const entries = await (await entriesOf(db, account)).read();
          writeRows(file, columns, entries, escapeFormulas);
          return reply(`Entries written: ${entries.length}.`, { file, entries: entries.length });
        },
      }),
    ],
  };
}

/**
 * Reads an entry from arguments. The schema names its fields in snake case: `store_id` for the argument
 * `store-id`.
 */
const entryIn = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.pipe(z.transform(inSnakeCase), schema),
    z.transform((entry: T) => ({ entry })),
  );

const inSnakeCase = (values: unknown): unknown =>
  Object.fromEntries(
    Object.entries(Object(values)).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
