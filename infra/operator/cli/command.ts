/**
 * How a command is defined: its words, its requirements, and its action. Each noun has a file of commands in
 * `nouns/`.
 */
import type { Command } from "commander";
import * as z from "zod/mini";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Answer } from "./answer.ts";
import type { Session } from "./session.ts";

/** A command that is invalid or cannot run. The operator sees only its message. */
export class Usage extends Error {}

/** The definition of a command. */
export interface CommandSpec<V> {
  /**
   * Its verb and arguments: `create <id> <name>`. Empty for a noun that is the whole command, such as
   * `smoke`.
   */
  readonly words: string;
  readonly summary: string;
  /** Help beyond the summary, as lines. An empty line ends a paragraph; help wraps the lines. */
  readonly about?: readonly string[];
  /** Options with their descriptions. */
  readonly options?: Readonly<Record<string, string>>;
  /** Example command lines, without `operator`. */
  readonly examples: readonly string[];
  readonly tables: readonly TableName[];
  /** Reads arguments and options, by their names in camel case. */
  readonly values: z.ZodMiniType<V>;
  /** The question to confirm an irreversible action; undefined if the values require none. */
  readonly confirms?: (values: V) => string | undefined;
  readonly run: (session: Session, values: V) => Promise<Answer>;
}

/** A parsed command with valid values. */
export interface Asked {
  readonly tables: readonly TableName[];
  /** The question to confirm before it runs. */
  readonly question: string | undefined;
  readonly carryOut: (session: Session) => Promise<Answer>;
}

/** Runs a parsed command. */
export type Execute = (asked: Asked) => Promise<void>;

/** Adds a command below its noun. */
export type Attach = (noun: Command, execute: Execute) => void;

/** A noun and its verbs. */
export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Attach[];
}

export const defineCommand =
  <V>(spec: CommandSpec<V>): Attach =>
  (noun, execute) => {
    const command = (spec.words === "" ? noun : noun.command(spec.words)).summary(spec.summary);
    command.description(paragraphs([`${spec.summary}.`, "", ...(spec.about ?? [])]));
    for (const [flags, meaning] of Object.entries(spec.options ?? {})) command.option(flags, meaning);
    command.addHelpText(
      "after",
      `\nExamples:\n${spec.examples.map((one) => `  operator ${one}`).join("\n")}`,
    );
    command.action(async () => {
      const values = valuesOf(command, spec.values);
      await execute({
        tables: spec.tables,
        question: spec.confirms?.(values),
        carryOut: (session) => spec.run(session, values),
      });
    });
  };

/** Joins lines into paragraphs, which help wraps to the terminal's width. */
const paragraphs = (lines: readonly string[]): string =>
  lines
    .map((line) => (line === "" ? "\n\n" : `${line} `))
    .join("")
    .replaceAll(" \n", "\n")
    .trim();

/** @throws Usage that names the invalid value and its problem */
function valuesOf<V>(command: Command, schema: z.ZodMiniType<V>): V {
  const written: Record<string, unknown> = { ...command.opts<Record<string, unknown>>() };
  for (const [position, argument] of command.registeredArguments.entries())
    written[camelCase(argument.name())] = command.args[position];
  const read = z.safeParse(schema, written);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Usage(`${shoutedName(String(issue?.path[0] ?? "a value"))} ${issue?.message ?? "is wrong"}`);
}

const camelCase = (text: string): string =>
  text.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A value's name as help shows it: `DUE-DATE`. */
const shoutedName = (camel: string): string =>
  camel.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase();
