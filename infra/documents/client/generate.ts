/**
 * The package of the typed client: the sources in `template`, and types made of the OpenAPI document of all
 * areas.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import * as z from "zod";
import { projectRoot } from "../../outputs.ts";
import { documentOf } from "../openapi/document.ts";

const template = join(import.meta.dirname, "template");

export const packageName = "order-inventory-warehouse-client";

/** The generator can't write there. The message alone is shown. */
export class Unusable extends Error {}

/**
 * Writes the package into a folder: `package.json`, README, and the code in `dist`. What an earlier run wrote
 * there is replaced.
 * @throws {Unusable} if the folder contains something else
 */
export async function writeClient(folder: string): Promise<void> {
  expectOurs(folder);
  // Below the project, so that the compiler finds the packages that the client needs.
  const parent = join(projectRoot, "dist");
  mkdirSync(parent, { recursive: true });
  const workplace = mkdtempSync(join(parent, "client-"));
  try {
    cpSync(join(template, "src"), workplace, { recursive: true });
    writeFileSync(join(workplace, "schema.ts"), await schemaTypes());
    await compile(workplace);
    rmSync(join(folder, "dist"), { recursive: true, force: true });
    cpSync(join(workplace, "dist"), join(folder, "dist"), { recursive: true });
  } finally {
    rmSync(workplace, { recursive: true });
  }
  cpSync(join(template, "README.md"), join(folder, "README.md"));
  cpSync(join(projectRoot, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

const named = z.object({ name: z.string() });

function expectOurs(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  const file = join(folder, "package.json");
  const owner = existsSync(file)
    ? named.safeParse(JSON.parse(readFileSync(file, "utf8"))).data?.name
    : undefined;
  if (owner === packageName) return;
  throw new Unusable(
    `${folder} holds something else than ${packageName}. Name a folder that is empty or does not exist.`,
  );
}

/** The types as TypeScript. Records have the same names as in the document. */
async function schemaTypes(): Promise<string> {
  const text = JSON.stringify(documentOf("all"));
  return astToString(await openapiTS(text, { rootTypes: true, rootTypesNoSchemaPrefix: true }));
}

const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");

const options = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: ".",
  outDir: "dist",
};

async function compile(folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["index.ts"] }),
  );
  await promisify(execFile)(process.execPath, [compiler, "-p", folder]);
}

const projectSchema = z.object({
  version: z.string(),
  license: z.string(),
  devDependencies: z.object({ "openapi-fetch": z.string(), "openapi-typescript-helpers": z.string() }),
});

/**
 * The packages that the client was checked with, in the same versions. Its types name the second one.
 */
function manifest(): object {
  const { version, license, devDependencies } = projectSchema.parse(
    JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")),
  );
  return {
    name: packageName,
    version,
    description: "A typed client of the order, inventory and warehouse service",
    license,
    type: "module",
    engines: { node: ">=20" },
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    dependencies: devDependencies,
  };
}
