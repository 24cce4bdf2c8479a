/** The only file that uses middy: what every function does around its work, regardless of what calls it. */
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import { logger } from "./log.ts";

/**
 * Begins a Lambda handler, and resets the log's fields from the previous event.
 *
 * middy's own timeout is disabled: it would answer an event that runs out of time, and its work would
 * continue when the instance is used again. With Lambda's timeout, the work ends with the instance.
 * Idempotency (`abandonedAfterMs`) and queues, which redeliver the messages to another worker, rely on that.
 */
export const beginHandler = <Event, Result>() =>
  middy<Event, Result, Error, Context>({ timeoutEarlyInMillis: 0 }).before(({ context }) =>
    logger.begin(context),
  );
