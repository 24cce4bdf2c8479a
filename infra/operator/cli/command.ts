/**
 * How a command is defined: its words, its requirements, and its action. A command with its subcommands is in
 * a file of `commands/`.
 */
import type { Command } from "commander";
import * as z from "zod/mini";
import type { CommandContext } from "./context.ts";
import { Usage } from "./outcome.ts";
import type { CommandResult } from "./result.ts";

export interface CommandSpec<V> {
  /** Command, subcommand, arguments: `accounts create <id> <name>`. Some have no subcommand: `trace <id>`. */
  readonly words: string;
  readonly summary: string;
  /** Help beyond the summary, as lines. An empty line ends a paragraph; help wraps the lines. */
  readonly about?: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
  /** Example command lines, without `operator`. */
  readonly examples: readonly string[];
  /** Whether it works without a deployment. */
  readonly needsNoTables?: true;
  /** Reads arguments and options, by their names in camel case. */
  readonly values: z.ZodMiniType<V>;
  /** Present if the command changes something. */
  readonly changes?: Changes<V>;
  readonly run: (context: CommandContext, values: V) => Promise<CommandResult>;
}

/** How a command changes something. It can be tried with `--dry-run`; each change is logged (`audit.ts`). */
export interface Changes<V> {
  /** Whether these values change something; all do, if absent. */
  readonly if?: (values: V) => boolean;
  /** What will happen, as a sentence to confirm; without it, the command does not ask. */
  readonly warning?: (values: V) => string | undefined;
  /** Whether another command undoes it. */
  readonly isReversible?: true;
  /** The values that the log of changes may keep; all, if absent. */
  readonly logged?: (values: V) => unknown;
  /**
   * What is changed, as operators may see it, for the log. @throws Problem if it does not exist, unless the
   * command creates it
   */
  readonly record?: (context: CommandContext, values: V) => Promise<unknown>;
}

export interface Called<V> {
  readonly spec: CommandSpec<V>;
  /** Command and subcommand: `accounts create`. */
  readonly name: string;
  readonly values: V;
  readonly dryRun: boolean;
}

export type Execute = <V>(called: Called<V>) => Promise<void>;

/** Adds a command. `parentOf` finds or adds the command with a name that may have subcommands. */
export type Attach = (parentOf: (name: string) => Command, execute: Execute) => void;

export type Commands = readonly Attach[];

export const defineCommand =
  <V>(spec: CommandSpec<V>): Attach =>
  (parentOf, execute) => {
    const [name = "", ...others] = spec.words.split(" ");
    const words = others.join(" ");
    const parent = parentOf(name);
    const isParent = words === "" || /^[<[]/.test(words);
    if (isParent && words !== "") parent.arguments(words);
    const command = (isParent ? parent : parent.command(words)).summary(spec.summary);
    command.description(paragraphs([`${spec.summary}.`, "", ...(spec.about ?? [])]));
    for (const [flags, meaning] of Object.entries(spec.options ?? {})) command.option(flags, meaning);
    if (spec.changes !== undefined) command.option("--dry-run", "show what would happen, and store nothing");
    command.addHelpText(
      "after",
      `\nExamples:\n${spec.examples.map((one) => `  operator ${one}`).join("\n")}`,
    );
    command.action(() =>
      execute({
        spec,
        name: isParent ? parent.name() : `${parent.name()} ${command.name()}`,
        values: valuesOf(command, spec.values),
        dryRun: command.opts()["dryRun"] === true,
      }),
    );
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
    written[camelCase(argument.name())] = command.processedArgs[position];
  const read = z.safeParse(schema, written);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = String(issue?.path[0]);
  const message = issue?.message ?? "is wrong";
  const option = command.options.find((one) => one.attributeName() === field);
  if (option === undefined) throw new Usage(`${shoutedName(field)} ${message}`);
  throw new Usage(`${option.long} ${written[field] === undefined ? `is required: it ${message}` : message}`);
}

const camelCase = (text: string): string =>
  text.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A value's name as help shows it: `DUE-DATE`. Fields of registries are in snake case. */
const shoutedName = (name: string): string =>
  name
    .replaceAll(/[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll("_", "-")
    .toUpperCase();
