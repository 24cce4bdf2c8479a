/**
 * What can be done with a record now (docs/decisions.md, Actions). Answers show it of each record; it is made
 * of the record that is shown, as the answer's schema is applied, so it costs no read and is stored nowhere.
 */
import * as z from "zod/mini";
import * as primitive from "./primitives.ts";

interface ActionCall {
  /** The call's operation id in the document. */
  readonly action: string;
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
}

export const actionRecord = z.object({
  action: primitive.text,
  method: z.enum(["POST", "PUT", "PATCH"]),
  path: primitive.text,
  allowed: primitive.boolean,
  reason: z.optional(primitive.text),
});
export type Action = z.output<typeof actionRecord>;

/** The action that a call is, with the reason for which it would be refused; undefined if it would not be. */
export const actionOf = (call: ActionCall, reason: string | undefined): Action =>
  reason === undefined ? { ...call, allowed: true } : { ...call, allowed: false, reason };

/** The schema of a record in answers: it adds what `actionsOf` answers to the record that a flow returns. */
export const withActions = <R extends z.ZodMiniObject>(
  record: R,
  actionsOf: (shown: z.output<R>) => readonly Action[],
) =>
  z.pipe(
    z.transform((shown: z.output<R>): unknown => ({ ...shown, actions: actionsOf(shown) })),
    z.extend(record, { actions: z.array(actionRecord) }),
  );
