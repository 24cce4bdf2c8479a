/**
 * Cloud assemblies as the rehearsal deploys them: as they are synthesized, without what the emulator does not
 * know.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { buildApp } from "../../infra/app.ts";
import { bundle } from "../../infra/bundle/bundle.ts";
import { loopbackVariable } from "../../shared/runtime/shared-names.ts";
import { takenOut } from "./taken-out.ts";

export type Context = Readonly<Record<string, unknown>>;

/** A synthesized app. `used` names the entries of `takenOut` that concerned it. */
export interface Assembly {
  readonly folder: string;
  readonly used: ReadonlySet<string>;
}

/** Bundles the functions of this checkout. @returns the folder of the bundles */
export async function bundlesHere(scratch: string): Promise<string> {
  const outdir = mkdtempSync(join(scratch, "bundles-"));
  await bundle({ outdir });
  return outdir;
}

/** A copy of bundles, each of which differs from the original, as after any change of the code. */
export function changed(scratch: string, bundles: string): string {
  const outdir = mkdtempSync(join(scratch, "bundles-"));
  cpSync(bundles, outdir, { recursive: true });
  for (const folder of readdirSync(outdir))
    appendFileSync(join(outdir, folder, "index.mjs"), "\n// changed\n");
  return outdir;
}

/** Synthesizes this checkout's app with settings. */
export function synthesizeHere(scratch: string, bundles: string, context: Context = {}): Assembly {
  const folder = mkdtempSync(join(scratch, "assembly-"));
  buildApp({ outdir: folder, bundles, context }).synth();
  return adapted(folder);
}

/** Synthesizes another checkout's app, by that checkout's own code. */
export async function synthesizeThere(
  scratch: string,
  checkout: string,
  context: Context = {},
): Promise<Assembly> {
  const folder = mkdtempSync(join(scratch, "assembly-"));
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const child = spawn(process.execPath, ["infra/app.ts"], {
    cwd: checkout,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${checkout} was not synthesized: status ${code}`));
    });
  });
  return adapted(folder);
}

/** A copy of an assembly, with its templates changed. */
export function edited(scratch: string, { folder: original, used }: Assembly, edit: Edit): Assembly {
  const folder = mkdtempSync(join(scratch, "assembly-"));
  cpSync(original, folder, { recursive: true });
  changeTemplates(folder, edit);
  return { folder, used };
}

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  DependsOn: z.optional(z.union([z.string(), z.array(z.string())])),
  UpdatePolicy: z.optional(z.unknown()),
});
const template = z.looseObject({ Resources: z.record(z.string(), resource) });
type Template = z.output<typeof template>;

/** Changes a stack's template before it is deployed. */
export type Edit = (stack: string, template: Template) => void;

/** Takes out what the emulator does not know, and lets webhooks lead to this machine. */
function adapted(folder: string): Assembly {
  const used = new Set<string>();
  changeTemplates(folder, (_stack, content) => {
    for (const entry of takeOut(content)) used.add(entry);
    allowLoopback(content);
  });
  return { folder, used };
}

function changeTemplates(folder: string, edit: Edit): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".template.json"))) {
    const before = readFileSync(join(folder, file), "utf8");
    const stack = file.slice(0, -".template.json".length);
    const content = template.parse(JSON.parse(before));
    edit(stack, content);
    replaceTemplate(folder, stack, before, JSON.stringify(content));
  }
}

function takeOut(content: Template): readonly string[] {
  const gone = Object.entries(content.Resources).flatMap(([id, one]) => {
    const entry = takenOut.find(({ concerns }) => concerns(one));
    return entry === undefined ? [] : [{ id, what: entry.what }];
  });
  for (const { id } of gone) delete content.Resources[id];
  const isThere = (id: string) => id in content.Resources;
  for (const one of Object.values(content.Resources)) {
    if (one.DependsOn !== undefined) one.DependsOn = [one.DependsOn].flat().filter(isThere);
    // It names an application of CodeDeploy.
    if (one.Type === "AWS::Lambda::Alias") delete one.UpdatePolicy;
  }
  return gone.map(({ what }) => what);
}

/** The receivers of the rehearsal are on this machine. No deployed function may reach them. */
function allowLoopback({ Resources }: Template): void {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== "AWS::Lambda::Function" || Properties === undefined) continue;
    const { Variables = {} } = z
      .object({ Variables: z.optional(z.record(z.string(), z.unknown())) })
      .parse(Properties["Environment"] ?? {});
    Properties["Environment"] = { Variables: { ...Variables, [loopbackVariable]: "allowed" } };
  }
}

/** The CDK finds a template by the SHA-256 of its text. */
function replaceTemplate(folder: string, stack: string, before: string, after: string): void {
  writeFileSync(join(folder, `${stack}.template.json`), after);
  const [old, fresh] = [before, after].map((text) => createHash("sha256").update(text).digest("hex"));
  for (const name of [`${stack}.assets.json`, "manifest.json"]) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(String(old), String(fresh)));
  }
}
