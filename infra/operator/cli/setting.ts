import { type Attach, type CommandSpec, defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { reply } from "./result.ts";

/** What such commands have in common: `N` names the record, and `S` is what they set. */
interface Subject<N, S> {
  /** Such as `Account 100`. */
  readonly title: (named: N) => string;
  /** The record as operators may see it. @throws Problem if it does not exist */
  readonly record: (context: CommandContext, named: N) => Promise<unknown>;
  /** Stores what is set. @returns the record as it is then */
  readonly save: (context: CommandContext, named: N, set: S) => Promise<object>;
}

interface Setting<V, S> extends Pick<CommandSpec<V>, "words" | "summary" | "about" | "values"> {
  readonly example: string;
  /** As that of `Changes`. */
  readonly warning?: (values: V) => string | undefined;
  readonly to: (values: V) => S;
  /** What is true then, after the title. */
  readonly says: (values: V) => string;
}

/** Defines a command that another one, or the same with other values, undoes. */
export const settingOf =
  <N, S>({ title, record, save }: Subject<N, S>) =>
  <V extends N>({ example, warning, to, says, ...spec }: Setting<V, S>): Attach =>
    defineCommand({
      ...spec,
      examples: [example],
      changes: { ...(warning && { warning }), isReversible: true, record },
      run: async (context, values) => {
        const after = await save(context, values, to(values));
        return reply(`${title(values)} ${says(values)}.`, after);
      },
    });
