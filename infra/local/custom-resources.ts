/** Has functions create the custom resources of the templates, as CloudFormation does in a deployment. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import type { CustomResource } from "./assembly/custom-resources.ts";
import { arn } from "./aws-environment.ts";
import { readBody } from "./http-messages.ts";
import { parseJson } from "./json.ts";
import { listen, loopback } from "./ports.ts";
import { LocalProblem } from "./problem.ts";

const answerSchema = z.object({
  Status: z.enum(["SUCCESS", "FAILED"]),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});
type Answer = z.infer<typeof answerSchema>;

/** Calls the function that has this ARN. */
type Invoke = (functionArn: string, event: object) => Promise<unknown>;

/** Maximum bytes of an answer to CloudFormation. */
const maxAnswerBytes = 4096;

/**
 * Milliseconds to wait for an answer. CloudFormation waits an hour unless a template says less; no answer
 * here takes that long.
 */
const timeoutMs = 60_000;

/**
 * Creates the resources at each start. Their functions must accept that as a creation and as an update.
 * @throws {LocalProblem} with the function's reason if a resource can't be created
 */
export const createCustomResources = async (
  resources: readonly CustomResource[],
  invoke: Invoke,
): Promise<void> => {
  for (const resource of resources) {
    const { Status, Reason = "" } = await ask(resource, invoke);
    if (Status === "FAILED")
      throw new LocalProblem(`${resource.stack}/${resource.logicalId} (${resource.type}) failed: ${Reason}`);
  }
};

/** Calls the function, and waits for its answer at the given address. */
const ask = async (resource: CustomResource, invoke: Invoke): Promise<Answer> => {
  const { stack, logicalId, type, serviceToken, properties } = resource;
  const answered = Promise.withResolvers<Answer>();
  answered.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    readBody(request, maxAnswerBytes)
      .then((body) => answered.resolve(answerSchema.parse(parseJson(body.toString("utf8")))))
      .catch((error: unknown) =>
        answered.reject(new LocalProblem(`${logicalId} was answered wrongly: ${String(error)}`)),
      )
      .finally(() => response.end());
  });
  const port = await listen(server, 0);
  const requestId = randomUUID();
  const stackId = arn("cloudformation", `stack/${stack}/local`);
  const timer = setTimeout(
    () => answered.reject(new LocalProblem(`The function of ${stack}/${logicalId} did not answer in time.`)),
    timeoutMs,
  );
  try {
    await invoke(serviceToken, {
      RequestType: "Create",
      ServiceToken: serviceToken,
      ResponseURL: `http://${loopback}:${port}/${requestId}`,
      StackId: stackId,
      RequestId: requestId,
      ResourceType: type,
      LogicalResourceId: logicalId,
      ResourceProperties: properties,
    });
    const answer = await answered.promise;
    if (
      answer.RequestId !== requestId ||
      answer.StackId !== stackId ||
      answer.LogicalResourceId !== logicalId
    )
      throw new LocalProblem(`The answer for ${stack}/${logicalId} names another request.`);
    return answer;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
};
