/** The parts of the operator's commands, and the readers of their values. */
import * as z from "zod/mini";
import { idIn, name as shortName } from "../../shared/domain/fields.ts";
import type { Database } from "../../shared/store/database.ts";
import type { TableName } from "../../shared/store/tables.ts";

export type Values = readonly (string | undefined)[];

/** Carries a command out, and answers what the operator is shown at the end; `print` shows a line meanwhile. */
export type Command = (db: Database, values: Values, print: (line: string) => void) => Promise<string>;

/** Commands by name, and the tables that all of them need. */
export interface CommandGroup {
  readonly tables: readonly TableName[];
  readonly commands: Readonly<Record<string, Command>>;
}

/** A command that makes no sense. The operator is shown its text alone. */
export class Usage extends Error {}

export const text = (value: string | undefined, what: string): string => {
  if (value === undefined || value === "") throw new Usage(`${what} is missing`);
  return value;
};

export const number = (value: string | undefined, what: string): number => {
  const id = idIn(text(value, what));
  if (id === undefined) throw new Usage(`${what} must be a whole number of at least 1`);
  return id;
};

/** A value that a field's rule allows. `rule` is the rule in words. */
export function allowed<T>(schema: z.ZodMiniType<T>, value: unknown, what: string, rule: string): T {
  const result = z.safeParse(schema, value);
  if (!result.success) throw new Usage(`${what} must be ${rule}`);
  return result.data;
}

/** A name that finds records. */
export const name = (value: string | undefined, what: string): string =>
  allowed(shortName, text(value, what), what, "at most 100 characters");
