import { authenticationAccess } from "../shared/auth/access.ts";
import { productList } from "../shared/catalog/products/product-lists.ts";
import { isRetriable } from "../shared/http/endpoint.ts";
import { storedJobAccess, workerAccess } from "../shared/jobs/job-repository.ts";
import { orderList } from "../shared/orders/storage/order-repository.ts";
import type { FunctionContract } from "../shared/runtime/contract.ts";
import { type Access, mergeAccess } from "../shared/store/access.ts";
import { idempotencyAccess, keptResponseAccess } from "../shared/store/idempotency.ts";
import { deploymentPartition } from "../shared/store/layouts/deployment.ts";
import { allocationGrant } from "../shared/store/lists/allocate.ts";
import { lookupAccess } from "../shared/store/lookup-index.ts";
import { tablesIn } from "../shared/store/permits.ts";
import { sagaAccess } from "../shared/store/sagas/saga.ts";

/** The tables that hold records of lists. */
const listTables = [orderList.table, productList.table];

/**
 * What a function needs to write records of lists: it counts them, indexes them, and stores large ones by
 * sagas. It resumes any saga that locks an item of its own, whatever that saga stores.
 */
const listAccess = mergeAccess(
  { tallies: allocationGrant },
  lookupAccess,
  sagaAccess,
  keptResponseAccess,
  storedJobAccess,
);

/** An access, with what writing records of lists needs if it writes them. */
const withLists = (access: Access): Access =>
  listTables.some((table) => access[table] === "write") ? mergeAccess(access, listAccess) : access;

/** Every function that opens the tables reads the layout of their data. */
const deploymentAccess: Access = { identity: { [deploymentPartition]: "read" } };

/**
 * All that a function may do with which items: what its contract states, and what the code around its flow
 * does. The stacks derive the function's permissions and environment from it.
 */
export function accessOf(contract: FunctionContract): Access {
  const access = accessByType(contract);
  return tablesIn(access).length > 0 ? mergeAccess(access, deploymentAccess) : access;
}

function accessByType(contract: FunctionContract): Access {
  const { access } = contract;
  switch (contract.type) {
    case "endpoint":
      return mergeAccess(
        authenticationAccess[contract.auth],
        withLists(access),
        isRetriable(contract) ? idempotencyAccess : {},
      );
    case "worker":
      return contract.messages === "wake-ups"
        ? withLists(access)
        : mergeAccess(withLists(access), workerAccess);
    case "schedule":
    case "stream":
      return withLists(access);
    case "page":
    case "health-check":
    case "fallback":
    case "diagnostic":
      return access;
  }
}
