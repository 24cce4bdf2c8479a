/**
 * Has functions create and update the custom resources of the templates, as CloudFormation does in a
 * deployment.
 */
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { CustomResource } from "./assembly/custom-resources.ts";
import { arn } from "./aws-environment.ts";
import { readBody } from "./http-messages.ts";
import { jsonSchema, parseJson, readJsonFile } from "./json.ts";
import { listen, loopback } from "./ports.ts";
import { Problem } from "./problem.ts";

const made = z.object({ physicalId: z.string(), properties: z.record(z.string(), jsonSchema) });
type Made = z.infer<typeof made>;

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

/** Bytes of the largest answer that CloudFormation takes. */
const largestAnswer = 4096;

/**
 * How long CloudFormation waits for an answer unless a template says less, in milliseconds: an hour. No
 * answer here takes that long.
 */
const timeoutMs = 60_000;

/**
 * Creates the resources, or updates those of an earlier start whose properties are others now.
 * @param dataDir where it is kept what was created; without it, nothing was
 * @throws {Problem} with the function's reason, if a resource can't be created or updated; naming its id, if
 * an update changes that
 */
export const settleCustomResources = async (
  resources: readonly CustomResource[],
  invoke: Invoke,
  dataDir: string | undefined,
): Promise<void> => {
  const file = dataDir === undefined ? undefined : join(dataDir, "custom-resources.json");
  const kept = file && existsSync(file) ? readJsonFile(file, z.record(z.string(), made)) : {};
  for (const resource of resources) {
    const { properties } = resource;
    const name = `${resource.stack}/${resource.logicalId}`;
    const before = kept[name];
    if (before !== undefined && isDeepStrictEqual(before.properties, properties)) continue;
    const answer = await ask(resource, invoke, before);
    if (answer.Status === "FAILED")
      throw new Problem(`${name} (${resource.type}) failed: ${answer.Reason ?? ""}`);
    refuseAnotherId(name, before, answer);
    kept[name] = { physicalId: answer.PhysicalResourceId, properties };
    if (file !== undefined) writeFileSync(file, JSON.stringify(kept));
  }
};

/** On AWS, another id replaces a resource: the function is called again, to delete the earlier one. */
const refuseAnotherId = (
  name: string,
  before: Made | undefined,
  { PhysicalResourceId: id }: Answer,
): void => {
  if (before !== undefined && before.physicalId !== id)
    throw new Problem(
      `${name} was updated, and answered the id "${id}" in place of "${before.physicalId}": CloudFormation would delete ` +
        "the latter then, which the local runtime does not imitate.",
    );
};

/** Calls the function, and waits for what it puts to the address that it is given. */
const ask = async (resource: CustomResource, invoke: Invoke, before: Made | undefined): Promise<Answer> => {
  const { stack, logicalId, type, serviceToken, properties } = resource;
  const answered = Promise.withResolvers<Answer>();
  answered.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    readBody(request, largestAnswer)
      .then((body) => answered.resolve(answerSchema.parse(parseJson(body.toString("utf8")))))
      .catch((error: unknown) =>
        answered.reject(new Problem(`${logicalId} was answered wrongly: ${String(error)}`)),
      )
      .finally(() => response.end());
  });
  const port = await listen(server, 0);
  const requestId = randomUUID();
  const stackId = arn("cloudformation", `stack/${stack}/local`);
  const timer = setTimeout(
    () => answered.reject(new Problem(`The function of ${stack}/${logicalId} did not answer in time.`)),
    timeoutMs,
  );
  try {
    await invoke(serviceToken, {
      RequestType: before === undefined ? "Create" : "Update",
      ServiceToken: serviceToken,
      ResponseURL: `http://${loopback}:${port}/${requestId}`,
      StackId: stackId,
      RequestId: requestId,
      ResourceType: type,
      LogicalResourceId: logicalId,
      ResourceProperties: properties,
      ...(before && { PhysicalResourceId: before.physicalId, OldResourceProperties: before.properties }),
    });
    const answer = await answered.promise;
    if (
      answer.RequestId !== requestId ||
      answer.StackId !== stackId ||
      answer.LogicalResourceId !== logicalId
    )
      throw new Problem(`The answer for ${stack}/${logicalId} names another request.`);
    return answer;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
};
