import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functions } from "../../functions/index.ts";
import {
  bundle,
  bundleFolder,
  bundleSizes,
  bundling,
  deploymentRecordKey,
} from "../../infra/bundle/bundle.ts";
import { lighterBundles } from "../../infra/bundle/lighter-bundles.ts";
import { defaultBundles } from "../../infra/paths.ts";
import type { FunctionContract } from "../../shared/runtime/contract.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";

const project = resolve(import.meta.dirname, "../..");
const keys = Object.keys(functions);
const pages = keys.filter((key) => functions[key]?.type === "page");

/** An endpoint of each area, and a function of each other type. */
const typical = new Map(
  Object.entries(functions).map(([key, contract]) => [
    contract.type === "endpoint" ? contract.auth : contract.type,
    key,
  ]),
);
const ofEachKind = [...new Set([...typical.values(), ...pages])];
const limit = 380_000;

let place = "";
/** Another checkout; where its bundles are, and one that an earlier run left there. */
const checkout = (): string => join(place, "checkout");
const elsewhere = (): string => join(place, "elsewhere");
const earlier = (): string => join(elsewhere(), "deleted-function", "index.mjs");
/** The run has bundled this checkout where `npm run build` does. */
const code = (key: string, folder = defaultBundles): string =>
  readFileSync(join(bundleFolder(key, folder), "index.mjs"), "utf8");

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "bundle-test-"));
  const root = checkout();
  for (const part of [
    "functions",
    "shared",
    "infra/bundle/lambda-credentials.ts",
    "infra/data-model",
    "infra/deployment-record.ts",
    "package.json",
    "tsconfig.json",
  ]) {
    cpSync(join(project, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  mkdirSync(dirname(earlier()), { recursive: true });
  writeFileSync(earlier(), "");
  await bundle({ outdir: elsewhere(), root, keys: ofEachKind });
});

/** The code of all functions of a checkout as one bundle. */
const codeOfAll = async (root: string): Promise<string | undefined> => {
  const contents = keys.map((key, place) => `export * as f${place} from "./functions/${key}.ts";`).join("\n");
  const { outExtension: _, ...usual } = bundling;
  const { outputFiles } = await build({
    ...usual,
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    plugins: [lighterBundles],
    write: false,
  });
  return outputFiles[0]?.text;
};

afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each(keys)("the bundle of %s has at most 380 KB", (key) => {
  expect(bundleSizes().get(key)).toBeLessThanOrEqual(limit);
});

test("every function has a folder with its bundle, a page with its files as well, and there is nothing else", () => {
  expect(readdirSync(defaultBundles)).toHaveLength(keys.length + 1);
  expect(readdirSync(bundleFolder(deploymentRecordKey))).toEqual(["index.mjs"]);
  for (const [key, { type }] of Object.entries(functions)) {
    expect(readdirSync(bundleFolder(key))).toEqual(type === "page" ? ["files", "index.mjs"] : ["index.mjs"]);
  }
});

test("bundling removes what an earlier run left", () => {
  expect(existsSync(earlier())).toBe(false);
});

test("bundles of each kind of function are the same bytes in another checkout", () => {
  expect(readdirSync(elsewhere())).toHaveLength(ofEachKind.length + 1);
  for (const key of ofEachKind) expect(code(key, elsewhere()) === code(key)).toBe(true);
});

test("the code of all functions comes to the same bytes in another checkout", async () => {
  const [here = "", there] = [await codeOfAll(project), await codeOfAll(checkout())];

  expect(here.length).toBeGreaterThan(limit);
  expect(there === here).toBe(true);
});

test("files of pages are the same bytes in another checkout, and Lambda can hand each out in any form", () => {
  const places = pages.flatMap((key) =>
    readdirSync(join(bundleFolder(key), "files")).map((name) => ({ key, name })),
  );

  expect(places.length).toBeGreaterThan(pages.length);
  for (const { key, name } of places) {
    const bytes = readFileSync(join(bundleFolder(key), "files", name));
    const other = readFileSync(join(bundleFolder(key, elsewhere()), "files", name));
    expect(bytes.equals(other)).toBe(true);
    // An answer of Lambda has at most 6 MB, in base 64, and some of it is headers.
    expect(gunzipSync(bytes).toString("base64").length).toBeLessThan(6_200_000);
  }
});

test("all pages of a document take at most 400 KB, and the first one 30 KB with what it loads", () => {
  const files = join(bundleFolder("oms/docs"), "files");
  const pages = readdirSync(files).filter((name) => !/^openapi|^_?console/.test(name));
  const bytes = (names: readonly string[]) =>
    names.map((name) => statSync(join(files, name)).size).reduce((sum, size) => sum + size, 0);
  const first = pages.filter((name) => /^index|\.(?:css|js)\.gz$/.test(name));

  expect(first).toHaveLength(3);
  expect(bytes(first)).toBeLessThan(30_000);
  expect(bytes(pages)).toBeLessThan(400_000);
});

test("the console has at most 80 KB, its libraries and their licenses included", () => {
  const files = join(bundleFolder("oms/docs"), "files");
  const own = readdirSync(files).filter((name) => /^_?console/.test(name));
  const script = own.find((name) => name.endsWith(".js.gz")) ?? "";

  expect(own).toHaveLength(3);
  expect(own.reduce((sum, name) => sum + statSync(join(files, name)).size, 0)).toBeLessThanOrEqual(80_000);
  const text = gunzipSync(readFileSync(join(files, script))).toString();
  for (const name of ["openapi-fetch", "preact"])
    expect(text).toMatch(new RegExp(`\n${name}\n\n.*MIT License`));
});

test("bundles name no folder of the machine that made them", () => {
  for (const key of keys) expect(code(key).includes(project)).toBe(false);
});

test.each([
  ["call CommonJS's require, which an ES module has not", /Dynamic require of/],
  ["import Node's own modules, since Node would read all that these export", /\b(?:from|import)\s*"node:/],
  ["look into configuration files, which a function has not", /AWS_CONFIG_FILE/],
  ["have a package's description", /devDependencies/],
  ["have a class that the SDK has for what no function does", /1116352408|formatHeaderValue|lastMaxRate/],
  ["have Node load streams of browsers or measurements", /\bReadableStream\b|\bperformance\b/],
])("no bundle may %s", (_, forbidden) => {
  for (const key of keys) expect(forbidden.exec(code(key))?.[0]).toBeUndefined();
});

test("bundles are ASCII, since Node takes longer to read other text", () => {
  for (const key of keys) expect(Buffer.byteLength(code(key))).toBe(code(key).length);
});

const mayHaveBody = (contract: FunctionContract): boolean =>
  contract.type === "endpoint" && contract.method !== "GET" && contract.method !== "DELETE";

test.each<[string, string, (contract: FunctionContract) => boolean]>([
  ["bodies: endpoints with another method than GET and DELETE", "it is XML or HTML", mayHaveBody],
  ["retries: the same endpoints", "The Idempotency-Key must have", mayHaveBody],
  [
    "pages of lists: functions that may read an index by facet key",
    " to be filtered any further",
    ({ access }: FunctionContract) => Object.keys(access).some((place) => place.endsWith("/cells")),
  ],
])("only some functions have the code of %s", (_code, message, has) => {
  const expected = keys.filter((key) => {
    const contract = functions[key];
    return contract !== undefined && has(contract);
  });

  expect(expected.length).toBeGreaterThan(5);
  expect(keys.filter((key) => code(key).includes(message))).toEqual(expected);
});

test("what answers requests that no endpoint serves has no database in its bundle", () => {
  expect(bundleSizes().get("not-found")).toBeLessThan(20_000);
});

test("every bundle starts on plain Node with its environment and exports a handler", () => {
  const tables = tableNames.map((name) => [tableSchemas[name].variable, "table"]);
  const urls = keys.map((key) => pathToFileURL(join(bundleFolder(key), "index.mjs")).href);
  const script = `for (const url of ${JSON.stringify(urls)}) console.log(typeof (await import(url)).handler);`;

  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: place,
    env: { ...Object.fromEntries(tables), AWS_REGION: "eu-west-1" },
    encoding: "utf8",
  });

  expect(printed.trim().split("\n")).toEqual(keys.map(() => "function"));
});
