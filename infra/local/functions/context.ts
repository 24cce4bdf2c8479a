import type { Invocation, Start } from "./messages.ts";

/** The second argument of a Lambda handler. */
export const createContext = (start: Start, { requestId, deadline }: Invocation) => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: start.functionName,
  functionVersion: "$LATEST",
  invokedFunctionArn: start.functionArn,
  memoryLimitInMB: String(start.memoryMegabytes),
  logGroupName: start.logGroupName,
  logStreamName: "local",
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});
