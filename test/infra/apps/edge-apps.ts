/** Apps with all that settings bring, also CloudFront and its firewall. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "aws-cdk-lib";
import { afterAll } from "vitest";
import { functions } from "../../../functions/index.ts";
import { buildApp } from "../../../infra/app.ts";
import { localContext } from "../../../infra/synthesize.ts";
import type { EndpointContract } from "../../../shared/runtime/contract.ts";
import { type Assembly, readAssembly } from "./assembly.ts";
import type { Context } from "./small-apps.ts";

const account = "123456789012";
export const secret = `arn:aws:secretsmanager:eu-west-1:${account}:secret:oiw-edge-1-AbCdEf`;
export const digests = ["0", "1"].map((digit) => digit.repeat(64));
export const edge = {
  firewall: `arn:aws:wafv2:us-east-1:${account}:global/webacl/oiw-firewall/0f1e2d3c-aaaa-bbbb-cccc-1234567890ab`,
  domainName: "api.example.com",
  certificateArn: `arn:aws:acm:us-east-1:${account}:certificate/0f1e2d3c-aaaa-bbbb-cccc-1234567890ab`,
  secret,
  digests,
};
export const firewall = { requests: 5_000 };

/** The endpoint of each area that may do most. */
const largest = new Map<string, string>();
const sizeOf = ({ access, sends }: EndpointContract): number => JSON.stringify([access, sends]).length;
for (const [key, contract] of Object.entries(functions)) {
  if (contract.type !== "endpoint") continue;
  const known = functions[largest.get(contract.auth) ?? ""];
  if (known?.type !== "endpoint" || sizeOf(contract) > sizeOf(known)) largest.set(contract.auth, key);
}
/** One may write what it may not read, as few can; calls of the other go to its alias. */
const special: readonly string[] = ["oms/webhooks/rotate-secret", "oms/orders/create-orders"];
/**
 * All functions that are no endpoints, and some endpoints. Whatever else there is looks like one of these.
 */
const typical = Object.fromEntries(
  Object.entries(functions).filter(
    ([key, contract]) =>
      contract.type !== "endpoint" || largest.get(contract.auth) === key || special.includes(key),
  ),
);

interface Built {
  readonly app: App;
  readonly outdir: string;
  readonly assembly: Assembly;
}

export interface EdgeApps {
  /** All functions. */
  readonly whole: Built;
  /** Some functions of each kind, which answer calls around CloudFront; the monitor; and daily backups. */
  readonly lesser: Built;
}

export function edgeApps(): EdgeApps {
  const place = mkdtempSync(join(tmpdir(), "edge-test-"));
  afterAll(() => rmSync(place, { recursive: true }));
  const build = (name: string, deployed: typeof functions, more: object, settings: Context): Built => {
    const outdir = join(place, name);
    const context = {
      ...localContext,
      edge: { ...edge, ...more },
      firewall: JSON.stringify(firewall),
      ...settings,
    };
    const app = buildApp({ functions: deployed, outdir, context });
    app.synth();
    return { app, outdir, assembly: readAssembly(outdir) };
  };
  return {
    whole: build("whole", functions, {}, {}),
    lesser: build("lesser", typical, { direct: "answered" }, { monitor: "on", backups: "daily" }),
  };
}
