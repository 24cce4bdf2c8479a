import { execFileSync } from "node:child_process";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { lighterBundles } from "../../../infra/bundle/lighter-bundles.ts";

/** The text of a module's bundle. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [lighterBundles],
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** What a module prints that a fresh process runs. */
const printed = (module: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", module], { encoding: "utf8" });

test("a module of Node is loaded when one of its functions is first called", async () => {
  const module = await bundled(`
    import { gunzipSync, gzipSync } from "node:zlib";
    const isLoaded = () => process.moduleLoadList.includes("NativeModule zlib");
    const before = isLoaded();
    console.log(before, String(gunzipSync(gzipSync("text"))), isLoaded());`);

  expect(printed(module)).toBe("false text true\n");
});

test("a module of Node's that nothing is used of is not loaded", async () => {
  expect(await bundled('import { Agent } from "node:https"; export const a = 1;')).not.toContain("https");
});

describe("a bundle has of Node's modules what a module of its own would import", () => {
  test.each([
    ["a function", 'import { join } from "node:path"; console.log(join("a", "b"));'],
    ["a class", 'import { EventEmitter } from "node:events"; console.log(new EventEmitter().eventNames());'],
    [
      "a class that holds nothing",
      'import { Resolver } from "node:dns"; console.log(new Resolver() instanceof Resolver);',
    ],
    ["a constant", 'import { constants } from "node:zlib"; console.log(constants.BROTLI_PARAM_QUALITY);'],
    [
      "a property that is read",
      'import { webcrypto } from "node:crypto"; console.log(typeof webcrypto.subtle);',
    ],
    [
      "a function that holds others",
      'import { hrtime } from "node:process"; console.log(typeof hrtime.bigint());',
    ],
    ["the module as the default", 'import os from "node:os"; console.log(os.EOL, typeof os.cpus);'],
    ["all exports", 'import * as path from "node:path"; console.log(path.sep, path.basename("a/b"));'],
    ["a module under way", 'const { basename } = await import("node:path"); console.log(basename("a/b"));'],
  ])("%s", async (_, module) => {
    expect(printed(await bundled(module))).toBe(printed(module));
  });
});
