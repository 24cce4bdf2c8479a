/**
 * The npm package of the typed client: the sources in `template/typescript`, and types generated from the
 * OpenAPI document of all areas. It is a tarball, because npm records tarballs in `package-lock.json` and
 * `npm ci` installs them again. A folder would become a link, from which the client's own packages are not
 * found.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import * as z from "zod";
import { projectRoot } from "../../paths.ts";
import { documentOf } from "../openapi/document.ts";

const run = promisify(execFile);

export const template = join(import.meta.dirname, "template");

export const packageName = "order-inventory-warehouse-client";

/**
 * Writes the package into a folder.
 * @returns the path of its tarball
 */
export const writeClient = (folder: string): Promise<string> =>
  inWorkplace(async (workplace) => {
    const sources = join(workplace, "sources");
    cpSync(join(template, "typescript"), sources, { recursive: true });
    writeFileSync(join(sources, "schema.ts"), await schemaTypes());
    const content = join(workplace, "package");
    for (const type of ["module", "commonjs"] as const)
      await compile(sources, join(content, "dist", type), type);
    // The client's own packages are in the tarball: installing it needs no registry.
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
      cpSync(join(projectRoot, "node_modules", name), join(content, "node_modules", name), {
        recursive: true,
      });
    cpSync(join(template, "typescript", "README.md"), join(content, "README.md"));
    cpSync(join(projectRoot, "LICENSE"), join(content, "LICENSE"));
    const { version, ...stated } = manifest();
    writeFileSync(join(content, "package.json"), JSON.stringify({ ...stated, version }, undefined, 2));
    mkdirSync(folder, { recursive: true });
    const options = ["--pack-destination", resolve(folder), "--no-update-notifier"];
    await run("npm", ["pack", ...options], { cwd: content });
    return join(resolve(folder), `${packageName}-${version}.tgz`);
  });

/** Works in a temporary folder below the project, so that the compiler finds packages. */
export async function inWorkplace<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const parent = join(projectRoot, "dist");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "client-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The types as TypeScript. Records have the same names as in the document. */
async function schemaTypes(): Promise<string> {
  const text = JSON.stringify(documentOf("all", { hasDryRuns: false }));
  // A field of a body with a default may be left out.
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false };
  return astToString(await openapiTS(text, options));
}

const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");

const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  rewriteRelativeImportExtensions: true,
  // openapi-fetch's declarations for CommonJS have an error.
  skipLibCheck: true,
  declaration: true,
  rootDir: ".",
};

/** Compiles to ES modules or CommonJS, as the `package.json` beside the sources says. */
async function compile(sources: string, outDir: string, type: "module" | "commonjs"): Promise<void> {
  const config = { compilerOptions: { ...compilerOptions, outDir }, files: ["index.ts"] };
  writeFileSync(join(sources, "package.json"), JSON.stringify({ type }));
  writeFileSync(join(sources, "tsconfig.json"), JSON.stringify(config));
  await run(process.execPath, [compiler, "-p", sources]);
  writeFileSync(join(outDir, "package.json"), JSON.stringify({ type, sideEffects: false }));
}

const projectSchema = z.object({
  version: z.string(),
  license: z.string(),
  devDependencies: z.object({ "openapi-fetch": z.string(), "openapi-typescript-helpers": z.string() }),
});

export const project = (): z.output<typeof projectSchema> =>
  projectSchema.parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")));

const exported = (type: string) => ({
  types: `./dist/${type}/index.d.ts`,
  default: `./dist/${type}/index.js`,
});

function manifest() {
  const { version, license, devDependencies } = project();
  return {
    name: packageName,
    version,
    description: "A typed client of the order, inventory and warehouse service",
    license,
    engines: { node: ">=20" },
    sideEffects: false,
    // For resolvers that don't read `exports`.
    main: "./dist/commonjs/index.js",
    types: "./dist/commonjs/index.d.ts",
    exports: { ".": { import: exported("module"), require: exported("commonjs") } },
    files: ["dist"],
    dependencies: devDependencies,
    bundleDependencies: Object.keys(devDependencies),
  };
}
