import * as z from "zod";

/** What a worker thread is told when it starts. */
export const startSchema = z.object({
  file: z.string(),
  exportName: z.string(),
  functionName: z.string(),
  functionArn: z.string(),
  memoryMegabytes: z.number(),
  logGroupName: z.string(),
});

export type Start = z.infer<typeof startSchema>;

/** One event for the function; as text, because what Lambda hands over is JSON and nothing else. */
export const invocationSchema = z.object({
  requestId: z.string(),
  event: z.string(),
  deadline: z.number(),
});

export type Invocation = z.infer<typeof invocationSchema>;

const failureSchema = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  stack: z.string().optional(),
});

/** How a function failed, in the words Lambda uses. */
export type Failure = z.infer<typeof failureSchema>;

export const outcomeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("success"), payload: z.string() }),
  z.object({ type: z.literal("failure"), failure: failureSchema }),
]);

export type Outcome = z.infer<typeof outcomeSchema>;
