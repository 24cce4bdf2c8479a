import * as z from "zod";

/** What a worker thread receives when it starts. */
export interface Start {
  /** The module that holds the function. */
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  readonly logGroupName: string;
  /** The folder of Node's compile cache; without it, every instance compiles its own code. */
  readonly compileCache: string | undefined;
}

/** One event for the function. */
export interface Invocation {
  readonly requestId: string;
  /** Text, because Lambda passes only JSON. */
  readonly event: string;
  /** The time by which the function must answer, in milliseconds since 1970. */
  readonly deadline: number;
}

const failureSchema = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  stack: z.string().optional(),
});

/** How a function failed, in Lambda's words. */
export type Failure = z.infer<typeof failureSchema>;

/**
 * The messages of a worker thread. They are parsed, because the function's module shares the thread and could
 * send anything.
 */
export const outcomeSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("success"), payload: z.string() }),
  z.object({ type: z.literal("failure"), failure: failureSchema }),
]);

export type Outcome = z.infer<typeof outcomeSchema>;
