/** What a command is: its words, what it needs, and what it does. Each noun has a file of commands in `nouns/`. */
import type { Command } from "commander";
import * as z from "zod/mini";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Answer } from "./answer.ts";
import { Usage } from "./failures.ts";
import type { Session } from "./session.ts";

/** A command, as its file states it. */
export interface CommandSpec<V> {
  /** Its verb and arguments: `create <id> <name>`. Empty for a noun that is the whole command, such as `smoke`. */
  readonly words: string;
  readonly summary: string;
  /** What an operator should know beyond the summary, as lines. An empty line ends a paragraph; help breaks lines anew. */
  readonly about?: readonly string[];
  /** Its options, with what each means. */
  readonly options?: Readonly<Record<string, string>>;
  /** What one writes behind `operator`. */
  readonly examples: readonly string[];
  readonly tables: readonly TableName[];
  /** Reads arguments and options, by their names in camel case. */
  readonly values: z.ZodMiniType<V>;
  /** What can't be undone, as a question; undefined where nothing of the kind is asked for. */
  readonly confirms?: (values: V) => string | undefined;
  readonly run: (session: Session, values: V) => Promise<Answer>;
}

/** A command that was asked for, with values that make sense. */
export interface Asked {
  readonly tables: readonly TableName[];
  /** What has to be confirmed before it is carried out. */
  readonly question: string | undefined;
  readonly carryOut: (session: Session) => Promise<Answer>;
}

/** Carries out what was asked for. */
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

/** Lines as paragraphs of one line each, which help breaks as the terminal is wide. */
const paragraphs = (lines: readonly string[]): string =>
  lines
    .map((line) => (line === "" ? "\n\n" : `${line} `))
    .join("")
    .replaceAll(" \n", "\n")
    .trim();

/** @throws Usage that says what is wrong with which value */
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

/** As help writes values: `DUE-DATE`. */
const shoutedName = (camel: string): string =>
  camel.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase();
