import { notFound } from "../common/problem.ts";
import { truncated } from "../common/strings.ts";
import type { FallbackContract } from "../lambda/contract.ts";
import { gateway } from "./gateway.ts";

/** The function that answers every request that no endpoint serves. It uses no table and no queue. */
export const fallbackContract: FallbackContract = { type: "fallback", access: {}, sends: [] };

/**
 * The Lambda handler for every request that no endpoint serves. It needs no database, and so none is in its
 * bundle.
 */
export const notFoundLambda = () =>
  gateway(async ({ requestContext: { http } }) => {
    throw notFound(`There is no ${http.method} ${truncated(http.path, 200)}`);
  });
