import type { DiagnosticContract } from "../../shared/contract.ts";
import { database } from "../../shared/database.ts";
import { beginHandler } from "../../shared/handler.ts";
import { type ProbedCall, probeAccess, probePermissions } from "../../shared/store/permission-probe.ts";

/** Tells `operator smoke` whether IAM allows and refuses what the stacks ask of it. */
export const diagnostic: DiagnosticContract = { type: "diagnostic", access: probeAccess, sends: [] };

export const handler = beginHandler<unknown, readonly ProbedCall[]>().handler(async () =>
  probePermissions(await database()),
);
