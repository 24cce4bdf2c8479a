/** The function that answers every request that no route serves (docs/decisions.md, Methods and paths). */
import { notFound, Problem } from "../../common/problem.ts";
import { truncate } from "../../common/strings.ts";
import type { FallbackContract } from "../../runtime/contract.ts";
import { preflightHeaders } from "../cors.ts";
import { gateway } from "../http-handler.ts";
import { failure, type HttpResponse, nosniff } from "../responses.ts";
import { methodsAt, pathMeant, servedPaths } from "./served-paths.ts";
import { servedRoutes } from "./served-routes.ts";

/** It uses no table and no queue, so none is in its bundle. */
export const fallbackContract: FallbackContract = { type: "fallback", access: {}, sends: [] };

/** Most characters of a path that an answer quotes. */
const maxPath = 200;

const documentation = "; the documentation is at /apirest/v4/oms/docs";

/** The Lambda handler of the fallback: OPTIONS of served paths, other methods at them, and wrong paths. */
export const notFoundLambda = (routes: readonly string[] = servedRoutes) => {
  const served = servedPaths(routes);
  return gateway(async (event): Promise<HttpResponse> => {
    const { method, path } = event.requestContext.http;
    const methods = methodsAt(path, served);
    const quoted = truncate(path, maxPath);
    if (methods.length === 0) {
      const meant = pathMeant(path, served);
      const advice = meant === undefined ? documentation : `; did you mean ${truncate(meant, maxPath)}?`;
      throw notFound(`There is no ${method} ${quoted}${advice}`);
    }
    const allow = methods.join(", ");
    if (method === "OPTIONS")
      return {
        statusCode: 204,
        headers: { allow, "cache-control": "no-store", ...nosniff, ...preflightHeaders(event, allow) },
      };
    const problem = new Problem("not_allowed", `${quoted} does not take ${method}; it takes ${allow}`);
    const response = failure(problem, event.requestContext.requestId);
    return { ...response, headers: { ...response.headers, allow } };
  });
};
