/** Checks IAM permissions by a function that is deployed to try them. */
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod/mini";
import { verbs } from "../../../../shared/store/access.ts";
import type { ProbedCall } from "../../../../shared/store/permission-probe.ts";
import { diagnosticOutput } from "../../../output-names.ts";
import { outputsOf } from "../../cli/deployment.ts";
import { NotChecked } from "../steps.ts";

/** The function has a role like any other function and reports what the role allows. */
const probe = "diagnostics/probe-permissions";

export const probedCalls = z.array(
  z.object({
    verb: z.enum(verbs),
    call: z.string(),
    keys: z.enum(["allowed", "refused", "both"]),
    outcome: z.string(),
  }),
);

/** One sentence for each unexpected outcome, and for each verb that was not tried. */
export const faultsOf = (calls: readonly ProbedCall[]): readonly string[] => [
  ...verbs
    .filter((verb) => !calls.some((one) => one.verb === verb))
    .map((verb) => `no call tried the verb ${verb}`),
  ...calls.flatMap(({ call, keys, outcome, verb }) => {
    const expected = keys === "allowed" ? "done" : "refused";
    const title = keys === "both" ? "an allowed and a refused key" : `a key that is ${keys}`;
    return outcome === expected
      ? []
      : [`${call} (${verb}) of ${title}: expected ${expected} but found ${outcome}`];
  }),
];

/** @throws if IAM allows or denies a call contrary to the stacks' policies */
export async function expectPermissions(deployment: string): Promise<void> {
  const name = (await outputsOf(`${deployment}-jobs`)).get(diagnosticOutput(probe));
  if (name === undefined) throw new NotChecked(`the stack ${deployment}-jobs has no function ${probe}`);
  const { Payload, FunctionError } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName: name, Payload: "{}" }),
  );
  const answer = Payload === undefined ? "" : Buffer.from(Payload).toString("utf8");
  if (FunctionError !== undefined) throw new Error(`the function ${name} failed: ${answer}`);
  const faults = faultsOf(z.parse(probedCalls, JSON.parse(answer)));
  if (faults.length > 0) throw new Error(faults.join("; "));
}
