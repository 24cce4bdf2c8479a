import type { DiagnosticContract } from "../../shared/runtime/contract.ts";
import { database } from "../../shared/runtime/database.ts";
import { beginHandler } from "../../shared/runtime/handler.ts";
import { type ProbedCall, probeAccess, probePermissions } from "../../shared/store/permission-probe.ts";

/** Reports to `operator smoke` whether IAM allows and denies what the stacks state. */
export const diagnostic: DiagnosticContract = { type: "diagnostic", access: probeAccess, sends: [] };

export const handler = beginHandler<unknown, readonly ProbedCall[]>().handler(async () =>
  probePermissions(await database()),
);
