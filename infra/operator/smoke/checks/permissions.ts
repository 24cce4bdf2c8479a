/** What the deployed probe of permissions answers, and what of it is wrong. */
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod/mini";
import { verbs } from "../../../../shared/store/access.ts";
import type { ProbedCall } from "../../../../shared/store/permission-probe.ts";
import { diagnosticOutput } from "../../../output-names.ts";
import { outputsOf } from "../../cli/deployment.ts";
import { NotChecked } from "../steps.ts";

/** The function that has the role of a function, and tells what it may do. */
const probe = "diagnostics/probe-permissions";

/** The answer of the probe. */
export const probedCalls = z.array(
  z.object({
    verb: z.enum(verbs),
    call: z.string(),
    keys: z.enum(["allowed", "refused", "both"]),
    outcome: z.string(),
  }),
);

/** What is wrong with the outcomes of calls, one sentence for each. */
export const faultsOf = (calls: readonly ProbedCall[]): readonly string[] => [
  ...verbs
    .filter((verb) => !calls.some((one) => one.verb === verb))
    .map((verb) => `no call was tried by the verb ${verb}`),
  ...calls.flatMap(({ call, keys, outcome, verb }) => {
    const expected = keys === "allowed" ? "done" : "refused";
    const named = keys === "both" ? "an allowed and a refused key" : `a key that is ${keys}`;
    return outcome === expected
      ? []
      : [`${call} (${verb}) of ${named}: expected ${expected} but found ${outcome}`];
  }),
];

/**
 * Has the deployed probe try all calls. @throws if IAM allows or refuses another one than the stacks mean it
 * to
 */
export async function expectPermissions(deployment: string): Promise<void> {
  const name = (await outputsOf(`${deployment}-jobs`)).get(diagnosticOutput(probe));
  if (name === undefined) throw new NotChecked(`the stack ${deployment}-jobs has no function ${probe}`);
  const client = new LambdaClient();
  try {
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({ FunctionName: name, Payload: "{}" }),
    );
    const answer = Payload === undefined ? "" : Buffer.from(Payload).toString("utf8");
    if (FunctionError !== undefined) throw new Error(`the function ${name} failed: ${answer}`);
    const faults = faultsOf(z.parse(probedCalls, JSON.parse(answer)));
    if (faults.length > 0) throw new Error(faults.join("; "));
  } finally {
    client.destroy();
  }
}
