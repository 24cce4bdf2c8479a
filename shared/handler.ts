/** The one place that knows middy: what every function does around its work, whatever calls it. */
import { Logger } from "@aws-lambda-powertools/logger";
import middy from "@middy/core";
import type { Context } from "aws-lambda";

export type { MiddlewareObj } from "@middy/core";

/** The log of this Lambda instance. Its lines carry the request id and what was appended for this event. */
export const logger = new Logger();

/**
 * Begins a Lambda handler; the log forgets the event before.
 *
 * Left to middy, an event that runs out of time is answered, and its work goes on when the instance is used again. Left
 * to Lambda, it ends with its instance: what idempotency and its `longestRun` rely on, and a queue, which gives the
 * messages of a batch that ended so to another worker.
 */
export const beginHandler = <Event, Result>() =>
  middy<Event, Result, Error, Context>({ timeoutEarlyInMillis: 0 }).before(({ context }) => {
    logger.resetKeys();
    logger.addContext(context);
  });
