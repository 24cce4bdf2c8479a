/** Runs a cloud assembly of the AWS CDK on this machine. Code outside this folder imports only this file. */
export type { FunctionAllowance, Renewal, Runtime, RuntimeOptions } from "./api.ts";
export { AwsClient, unsigned } from "./aws-client.ts";
export { awsEnvironment } from "./aws-environment.ts";
export { type DatabaseOptions, type DatabaseServer, startDatabase } from "./data/dynamodb.ts";
export { Router } from "./http/routes.ts";
export { expectFree, listen } from "./ports.ts";
export { LocalProblem } from "./problem.ts";
export { type Call, criticalPath } from "./proxy/calls.ts";
export type { Charge } from "./proxy/capacity/charges.ts";
export type { Fault, FaultEffect, FaultRule } from "./proxy/faults.ts";
export { startRuntime } from "./runtime.ts";
