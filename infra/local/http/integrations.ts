import { findFunction } from "../assembly/functions.ts";
import type { RouteDefinition } from "../assembly/routes.ts";
import type { Fleet } from "../functions/fleet.ts";
import type { Route } from "./routes.ts";
import type { Integration } from "./server.ts";

/** Leads every route to its function. */
export const integrationsOf = (routes: readonly RouteDefinition[], fleet: Fleet): Route<Integration>[] =>
  routes.map(({ key, functionArn, timeoutMilliseconds }) => {
    const deployed = findFunction(fleet.functions, functionArn);
    return { key, target: { timeoutMilliseconds, invoke: (event) => fleet.answer(deployed, event) } };
  });
