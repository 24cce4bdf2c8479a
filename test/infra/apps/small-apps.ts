/**
 * Apps of some functions whose code is nothing, which are built for what tests look at: quickly, and with any
 * settings.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import { afterAll, beforeAll } from "vitest";
import * as z from "zod/mini";
import { buildApp } from "../../../infra/app.ts";
import { bundleFolder, deploymentRecordKey } from "../../../infra/bundle/bundle.ts";
import type { Release } from "../../../infra/release/released.ts";
import type { EndpointContract, FunctionContract } from "../../../shared/runtime/contract.ts";

export type Functions = Readonly<Record<string, FunctionContract>>;
export type Context = Readonly<Record<string, unknown>>;

export const nothing = { access: {}, sends: [] };
export const fallback: FunctionContract = { type: "fallback", ...nothing };
export const workerOf = (job: string): FunctionContract => ({ type: "worker", job, ...nothing });
export const worker = workerOf("recount");
export const endpoint = (number: number, orders: "read" | "write" = "write"): EndpointContract => ({
  type: "endpoint",
  method: "POST",
  path: `/things/${number}`,
  auth: "oms",
  summary: "Does a thing",
  access: { identity: "read", orders, inventory: "write-records", jobs: "write" },
  sends: ["recount"],
  request: z.object({}),
  response: z.object({}),
  writes: true,
});

/** What an app can't do without, and one kind of job. */
export const few: Functions = { "not-found": fallback, "jobs/apply": worker };

/** Builds small apps in a folder of their own, which is there while the tests run that are stated beside. */
export function smallApps() {
  let place = "";
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "app-test-"));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const apps = new Map<Functions, Map<Context, CloudAssembly>>();
  let built = 0;

  /** Builds the app of these functions and settings, as it follows on a release. */
  const build = (context: Context, functions: Functions, released: Release = {}): CloudAssembly => {
    for (const key of [...Object.keys(functions), deploymentRecordKey]) {
      mkdirSync(bundleFolder(key, place), { recursive: true });
      writeFileSync(join(bundleFolder(key, place), "index.mjs"), `export const handler = "${key}";`);
    }
    built += 1;
    const outdir = join(place, `small-${built}`);
    return buildApp({ functions, context, released, bundles: place, outdir }).synth();
  };

  /** The app of these functions and settings. It is built once, though several tests look at it. */
  const appOf = (context: Context, functions: Functions): CloudAssembly => {
    const known = apps.get(functions) ?? new Map<Context, CloudAssembly>();
    const app = known.get(context) ?? build(context, functions);
    apps.set(functions, known.set(context, app));
    return app;
  };

  /** The stack called `id` of such an app. */
  const templateOf = (id: string, context: Context, functions: Functions): Template => {
    const name = `${context["deployment"] ?? "oiw"}-${id}`;
    return Template.fromJSON(appOf(context, functions).getStackByName(name).template);
  };

  /** Builds an app of settings that are refused, which takes no folder. */
  const refused = (context: Context) => (): unknown => buildApp({ context, bundles: place, outdir: place });

  return { appOf, build, templateOf, refused };
}

export type SmallApps = ReturnType<typeof smallApps>;

/** The default of every setting. The object itself is what tells apps with it apart from others. */
export const noSettings: Context = {};
