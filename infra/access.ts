import { authenticationAccess } from "../shared/auth/access.ts";
import { isRetriable } from "../shared/http/endpoint.ts";
import { storedJobAccess, workerAccess } from "../shared/jobs/job-repository.ts";
import type { FunctionContract } from "../shared/runtime/contract.ts";
import { type Access, mergeAccess, plainAccess, writesRecords } from "../shared/store/access.ts";
import { idempotencyAccess, keptResponseAccess } from "../shared/store/idempotency.ts";
import { deploymentPartition } from "../shared/store/layouts/deployment.ts";
import { allocationGrant } from "../shared/store/lists/allocate.ts";
import { lookupAccess } from "../shared/store/lookup-index.ts";
import { tablesIn } from "../shared/store/permits.ts";
import { sagaAccess } from "../shared/store/sagas/saga.ts";

/** What `write-records` stands for besides `write`. */
const recordAccess = mergeAccess(
  { tallies: allocationGrant },
  lookupAccess,
  sagaAccess,
  keptResponseAccess,
  storedJobAccess,
);

/** Every function that opens the tables reads the layout of their data. */
const deploymentAccess: Access = { identity: { [deploymentPartition]: "read" } };

/**
 * Everything that a function may do, with which items: what its contract states, and what the code around its
 * flow needs. The stacks derive the function's permissions and environment from it.
 */
export function accessOf(contract: FunctionContract): Access {
  const access = accessByType(contract);
  return tablesIn(access).length > 0 ? mergeAccess(access, deploymentAccess) : access;
}

function accessByType(contract: FunctionContract): Access {
  const plain = plainAccess(contract.access);
  const stated = writesRecords(contract.access) ? mergeAccess(plain, recordAccess) : plain;
  switch (contract.type) {
    case "endpoint":
      return mergeAccess(
        authenticationAccess[contract.auth],
        stated,
        isRetriable(contract) ? idempotencyAccess : {},
      );
    case "worker":
      return contract.messages === "wake-ups" ? stated : mergeAccess(stated, workerAccess);
    case "schedule":
    case "stream":
    case "page":
    case "health-check":
    case "fallback":
    case "diagnostic":
      return stated;
  }
}
