/**
 * The actions that are possible for a record (docs/decisions.md, Actions). Answers show them for each record.
 * They are computed from the shown record when the answer's schema is applied, so they cost no read and are
 * not stored.
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

/** A call as an action, which is allowed unless there is a reason to reject it. */
export const actionOf = (call: ActionCall, reason: string | undefined): Action =>
  reason === undefined ? { ...call, allowed: true } : { ...call, allowed: false, reason };

/** The schema of a record in answers: adds the actions of `actionsOf` to the record that a flow returns. */
export const withActions = <R extends z.ZodMiniObject>(
  record: R,
  actionsOf: (shown: z.output<R>) => readonly Action[],
) =>
  z.pipe(
    z.transform((shown: z.output<R>): unknown => ({ ...shown, actions: actionsOf(shown) })),
    z.extend(record, { actions: z.array(actionRecord) }),
  );
