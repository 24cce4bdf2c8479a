/**
 * Leaves out of a bundle what costs a function time while it loads, and is never used there.
 *
 * An `import` of one of Node's own modules has Node load the module and read every export of it. Some load
 * further modules when they are read, such as `crypto.subtle`. See `builtin-modules.ts`.
 *
 * DynamoDB, SQS and Secrets Manager have no streams of events. The AWS SDK imports its reader of such streams
 * only where a call has one. In a bundle, which is one file, that reader would always be there, and with it
 * half of the SDK that nothing else uses.
 *
 * The SDK checks whether each body is a web stream. Ours never are, and the check makes Node load the module
 * of web streams.
 *
 * The SDK looks for settings in a user's files, too, and has classes for what no function does. See
 * `lambda-config-files.ts` and `unused-classes.ts`. It states its own version in each call, for which a
 * bundle would have the whole of its `package.json`.
 *
 * Packages are JavaScript, and TypeScript is the project's own: what holds for its constants is said in
 * `pure-constants.ts`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Plugin, transform } from "esbuild";
import * as z from "zod/mini";
import { builtinModule, wholeBuiltinModule } from "./builtin-modules.ts";
import { withPureConstants } from "./pure-constants.ts";

const configFiles = join(import.meta.dirname, "lambda-config-files.ts");
const unusedClasses = join(import.meta.dirname, "unused-classes.ts");
const ofUnusedClass =
  /^@aws-sdk\/endpoint-cache$|\/(Sha256Js|HeaderFormatter|AdaptiveRetryStrategy|DefaultRateLimiter)$/;

const versioned = z.object({ version: z.string() });

const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };

/**
 * Modules that a bundle has as a whole. Node has loaded both before any function. What `process` holds
 * depends on the process: one that was forked has more, and a bundle must not depend on who makes it. The
 * streams of `fs` are loaded where its property is read, which is what the AWS SDK does with bodies that none
 * of ours is.
 */
const whole: ReadonlySet<string> = new Set(["node:fs", "node:process"]);

export const lighterBundles: Plugin = {
  name: "lighter-bundles",
  setup: ({ onResolve, onLoad, initialOptions }) => {
    initialOptions.define = { ...initialOptions.define, ReadableStream: "undefined" };
    onResolve({ filter: /^node:/ }, ({ path, kind }) => ({
      path,
      namespace: kind === "import-statement" && !whole.has(path) ? "builtin" : "whole-builtin",
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({ contents: builtinModule(path) }));
    onLoad({ filter: /.*/, namespace: "whole-builtin" }, ({ path }) => ({
      contents: wholeBuiltinModule(path),
    }));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        tsconfigRaw,
      });
      return { contents: withPureConstants(code) };
    });
    onResolve({ filter: /\/fromSharedConfigFiles$/ }, () => ({ path: configFiles }));
    onResolve({ filter: ofUnusedClass }, () => ({ path: unusedClasses }));
    onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
      const { version } = z.parse(versioned, JSON.parse(await readFile(path, "utf8")));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({ path, external: true }));
  },
};
