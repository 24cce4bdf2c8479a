/**
 * The commands of every registry: its entries are listed, added, imported from files and exported to files.
 */
import * as z from "zod/mini";
import { invalid } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Commands, defineCommand } from "../cli/command.ts";
import { file as fileName, flag, id } from "../cli/fields.ts";
import { listed, reply } from "../cli/result.ts";
import { importRecords } from "../import/importing.ts";
import { importEntries, judging, type Registry } from "../import/registry.ts";
import { escapeOption, writeRows } from "../import/rows.ts";
import { readAccount } from "../set-up/accounts.ts";

interface Words {
  /** Whether each account has entries of its own. If not, they are the whole warehouse's. */
  readonly isOfAccount: boolean;
  /** Whether entries never change once they are there. */
  readonly isFixed?: true;
  /** One entry, as a noun: `store`. */
  readonly title: string;
  /** The arguments of an entry, in the order of the schema's fields. */
  readonly words: string;
  /** Example values of these arguments. */
  readonly example: string;
}

export const updateOption = { "--update": "also store rows whose records exist with other values" };

/** The account of an account's registry. Commands of the warehouse's registries have no such argument. */
const scope = z.object({ account: z._default(id, 0) });

const scopeAndFile = z.extend(scope, { file: fileName });

export function registryCommands<T extends object>(registry: Registry<T> & Words): Commands {
  const { name, title, schema, key, read, put, isOfAccount, isFixed = false } = registry;
  const columns = Object.keys(schema.shape);
  const prefix = isOfAccount ? { words: "<account> ", example: "100 " } : { words: "", example: "" };
  const entriesOf = async (db: Database, accountId: number): Promise<readonly T[]> => {
    if (isOfAccount) await readAccount(db, accountId);
    return read(db, accountId);
  };
  return [
    defineCommand({
      words: `${name} list ${prefix.words}`.trim(),
      summary: `Lists each ${title}`,
      examples: [`${name} list ${prefix.example}`.trim()],
      values: scope,
      run: async ({ db }, { account }) => listed(await entriesOf(db, account), `There is no ${title}.`),
    }),
    defineCommand({
      words: `${name} add ${prefix.words}${registry.words}`,
      summary: isFixed ? `Adds a ${title}` : `Adds a ${title}, or overwrites it`,
      examples: [`${name} add ${prefix.example}${registry.example}`],
      values: z.intersection(scope, entryIn(schema)),
      changes: {
        record: async ({ db }, { account, entry }) =>
          (await entriesOf(db, account)).find((one) => key(one) === key(entry)),
      },
      run: async ({ db }, { account, entry }) => {
        const conflict = (await judging(registry, db, await entriesOf(db, account)))(entry);
        if (conflict !== undefined) throw invalid(conflict);
        await put(db, account, [entry]);
        return reply(`The ${title} ${key(entry)} is set up.`, entry);
      },
    }),
    defineCommand({
      words: `${name} import ${prefix.words}<file>`,
      summary: `Adds each ${title} in a .csv or .json file`,
      about: [
        `The columns are ${columns.join(", ")}.`,
        "Rows that match existing entries are skipped.",
        isFixed
          ? "An entry never changes: rows that exist with other values are refused."
          : "Entries that exist with other values are listed, and overwritten only with --update.",
        "Of two rows about one entry, both are refused. Refused rows are listed with their row and column. The exit status is 4",
        "if a row was not stored.",
      ],
      options: isFixed ? {} : updateOption,
      examples: [`${name} import ${prefix.example}${name}.csv`],
      values: z.extend(scopeAndFile, { update: flag }),
      changes: {},
      run: async (context, { account, file, update }) => {
        const { db } = context;
        if (isOfAccount) await readAccount(db, account);
        return importRecords(context, file, await importEntries(registry, { db, account, update }));
      },
    }),
    defineCommand({
      words: `${name} export ${prefix.words}<file>`,
      summary: `Writes each ${title} to a new .csv or .json file, in the format of an import`,
      examples: [`${name} export ${prefix.example}${name}.csv`],
      options: escapeOption,
      values: z.extend(scopeAndFile, { escapeFormulas: flag }),
      run: async ({ db }, { account, file, escapeFormulas }) => {
        const entries = await entriesOf(db, account);
        writeRows(file, columns, entries, escapeFormulas);
        return reply(`Entries written: ${entries.length}.`, { file, entries: entries.length });
      },
    }),
  ];
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
