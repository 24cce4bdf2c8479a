import { authenticationAccess } from "../shared/auth/access.ts";
import { isRetriable } from "../shared/http/endpoint.ts";
import type { FunctionContract } from "../shared/lambda/contract.ts";
import { type Access, tablesIn, together, withLists } from "../shared/store/access.ts";
import { idempotencyAccess } from "../shared/store/idempotency.ts";
import { deploymentPartition } from "../shared/store/layouts/deployment.ts";

/** A worker stores the outcome of a job together with the job's effect. */
const jobAccess: Access = { jobs: { "job#": ["read", "change"] } };

/** Every function that opens the tables reads which layout their data have. */
const deploymentAccess: Access = { identity: { [deploymentPartition]: "read" } };

/**
 * All that a function may do with which items: what its contract states, and what the code around its flow does. The stacks
 * derive the function's permissions and environment from it.
 */
export function accessOf(contract: FunctionContract): Access {
  const access = accessByType(contract);
  return tablesIn(access).length > 0 ? together(access, deploymentAccess) : access;
}

function accessByType(contract: FunctionContract): Access {
  const { access } = contract;
  switch (contract.type) {
    case "endpoint":
      return together(
        authenticationAccess[contract.auth],
        withLists(access),
        isRetriable(contract) ? idempotencyAccess : {},
      );
    case "worker":
      return contract.messages === "wake-ups" ? withLists(access) : together(withLists(access), jobAccess);
    case "schedule":
    case "stream":
      return withLists(access);
    case "page":
    case "fallback":
    case "diagnostic":
      return access;
  }
}
