/** What the main thread asks of a thread that runs schedules, and what that one reports. */
import * as z from "zod";

export const asked = z.discriminatedUnion("kind", [
  /** Run these seeds, up to the first that breaks a rule. */
  z.object({ kind: z.literal("run"), first: z.int(), count: z.int() }),
  /** Tell the story of a seed, of the shortest schedule that breaks the same rule if it is to be shrunk. */
  z.object({ kind: z.literal("tell"), seed: z.int(), shrinks: z.boolean() }),
]);
export type Asked = z.output<typeof asked>;

const finding = z.object({ check: z.string(), text: z.string() });

export const reported = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ran"),
    /** How many schedules ran, the broken one included. */
    ran: z.int(),
    turns: z.int(),
    /** How often each operation had a success. */
    successes: z.record(z.string(), z.int()),
    broken: z.optional(z.object({ seed: z.int(), findings: z.array(finding).readonly() })),
  }),
  z.object({
    kind: z.literal("told"),
    plan: z.string(),
    story: z.array(z.string()).readonly(),
    findings: z.array(finding).readonly(),
  }),
]);
export type Reported = z.input<typeof reported>;
