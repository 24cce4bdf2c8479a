import { invalid, Problem } from "../common/problem.ts";
import { digestOf } from "../common/strings.ts";
import type { EndpointContract } from "../runtime/contract.ts";
import { logger } from "../runtime/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { cleanUpBudgetMs, withBudget } from "../store/dynamodb/retry.ts";
import {
  type Idempotency,
  type KeptAnswer,
  LockedKey,
  lock,
  noIdempotencyKey,
} from "../store/idempotency.ts";
import type { HttpEvent } from "./http-handler.ts";
import { rawBody } from "./request/body.ts";
import { failure as failureOf, type HttpResponse, json } from "./responses.ts";

const maxKeyLength = 255;

/** A call of an endpoint whose request is well-formed. */
export interface RequestInFlight {
  readonly db: Database;
  readonly endpoint: EndpointContract & {
    readonly failure?: (problem: Problem) => object;
  };
  readonly event: HttpEvent;
  readonly actor: string;
  /** Reduces a flow's result to the fields that the response schema declares. */
  readonly shape: (answer: object) => object;
  /** Runs before a retry is answered with the body of an earlier response, as parsed JSON. */
  readonly replay?: (body: unknown) => Promise<void>;
}

/** Runs the flow, and returns the body of the response. */
export type Run = (idempotency: Idempotency) => Promise<object>;

/**
 * Runs a flow for the first call with an `Idempotency-Key`, and returns its response to later calls
 * (docs/decisions.md, Retries). Without the header, the flow just runs. A response that may differ next time
 * (500, 429, or that a failure left records open) is not stored, so the next call runs the flow again. A dry
 * run ignores the header.
 */
export async function idempotently(call: RequestInFlight, run: Run): Promise<HttpResponse> {
  const header = call.event.headers["idempotency-key"];
  if (header === undefined) return json(200, await run(noIdempotencyKey));
  if (header.length < 1 || header.length > maxKeyLength) {
    throw invalid(`The Idempotency-Key must have 1 to ${maxKeyLength} characters`);
  }
  const { db, endpoint, event, actor } = call;
  if (db.dryRun !== undefined) return json(200, await run(noIdempotencyKey));
  const name = digestOf(actor, endpoint.method, endpoint.path, header);
  // Hashes the path parameters instead of the path, because an endpoint may have several paths.
  const named = JSON.stringify(event.pathParameters ?? {});
  const attempt = await lock(db, name, digestOf(named, event.rawQueryString, rawBody(event)));
  switch (attempt.state) {
    case "locked":
      return runHolding(
        new LockedKey(db, attempt.lock, (response) => JSON.stringify(call.shape(response))),
        call,
        run,
      );
    case "running":
      throw new Problem("too_many", "A call with this Idempotency-Key is still running", {
        retryAfterSeconds: 1,
      });
    case "other-request":
      throw invalid("The Idempotency-Key was used for another request");
    case "done":
      if (attempt.answer.status === 200) await call.replay?.(JSON.parse(attempt.answer.body));
      return replayAnswer(attempt.answer);
    case "partly-stored":
      throw invalid(
        "An earlier release was interrupted in the middle of this call; read which of its records are stored, and send the others with another Idempotency-Key",
      );
  }
}

/** Marks an answer that comes, at least in part, from an earlier run of the call. */
const isReplayed = { "idempotent-replayed": "true" } as const;

const replayAnswer = ({ status, body }: KeptAnswer): HttpResponse => ({
  ...json(status, {}, isReplayed),
  body,
});

/** Frees a key for a retry. If that fails, the key stays locked, as if the call had died. */
async function releaseKey(key: LockedKey): Promise<void> {
  try {
    await withBudget(() => key.abandon(), cleanUpBudgetMs);
  } catch (error) {
    logger.error("key not released", { error });
  }
}

async function runHolding(
  key: LockedKey,
  { endpoint, event }: RequestInFlight,
  run: Run,
): Promise<HttpResponse> {
  let response: HttpResponse;
  try {
    const body = await run(key.idempotency);
    response = json(200, body, key.isResumed ? isReplayed : {});
  } catch (error) {
    response = failureOf(error, event.requestContext.requestId, endpoint.failure);
    const status = response.statusCode ?? 500;
    const isUnfinished = error instanceof Problem && error.details.isUnfinished === true;
    if (status >= 500 || status === 429 || isUnfinished) {
      await releaseKey(key);
      throw error;
    }
  }
  try {
    const answer = { status: response.statusCode ?? 200, body: response.body ?? "" };
    await withBudget(() => key.settle(answer), cleanUpBudgetMs);
  } catch (error) {
    // The call took effect, so its response is returned. A retry will find the receipts.
    logger.error("answer not kept", { error });
  }
  return response;
}
