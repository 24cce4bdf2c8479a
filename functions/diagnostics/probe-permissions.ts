import type { DiagnosticContract } from "../../shared/lambda/contract.ts";
import { database } from "../../shared/lambda/database.ts";
import { logged } from "../../shared/lambda/log.ts";
import { type ProbedCall, probeAccess, probePermissions } from "../../shared/store/permission-probe.ts";

/** Reports to `operator smoke` whether IAM allows and refuses what the stacks ask of it. */
export const diagnostic: DiagnosticContract = { type: "diagnostic", access: probeAccess, sends: [] };

export const handler = logged<unknown, readonly ProbedCall[]>(async () => probePermissions(await database()));
