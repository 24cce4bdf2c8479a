import type { DiagnosticContract } from "../../shared/lambda/contract.ts";
import { database } from "../../shared/lambda/database.ts";
import { beginHandler } from "../../shared/lambda/handler.ts";
import { type ProbedCall, probeAccess, probePermissions } from "../../shared/store/permission-probe.ts";

/** Reports to `operator smoke` whether IAM allows and refuses what the stacks ask of it. */
export const diagnostic: DiagnosticContract = { type: "diagnostic", access: probeAccess, sends: [] };

export const handler = beginHandler<unknown, readonly ProbedCall[]>().handler(async () =>
  probePermissions(await database()),
);
