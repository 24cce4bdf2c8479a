import type { FunctionDefinition } from "../assembly/functions.ts";
import { Problem } from "../problem.ts";

/** Lambda refuses an event source that the function's role cannot use, so such templates would not deploy. */
export const checkGrants = (
  definition: FunctionDefinition,
  actions: readonly string[],
  resource: string,
): void => {
  const missing = definition.permissions.missing(actions.map((action) => ({ action, resource })));
  if (missing === undefined) return;
  throw new Problem(
    `${definition.name} has the event source ${resource}, but its role does not allow ${missing.action}.`,
  );
};
