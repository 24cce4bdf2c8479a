/** The one place that knows middy: what every function does around its work, whatever calls it. */
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import { logger } from "./log.ts";

export type { MiddlewareObj } from "@middy/core";

/**
 * Begins a Lambda handler; the log forgets the event before.
 *
 * Left to middy, an event that runs out of time is answered, and its work goes on when the instance is used again. Left
 * to Lambda, it ends with its instance: what idempotency and its `maxRunMs` rely on, and a queue, which gives the
 * messages of a batch that ended so to another worker.
 */
export const beginHandler = <Event, Result>() =>
  middy<Event, Result, Error, Context>({ timeoutEarlyInMillis: 0 }).before(({ context }) =>
    logger.begin(context),
  );
