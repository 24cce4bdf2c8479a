/**
 * Leaves out of a bundle what a function would load and never use.
 *
 * An `import` of one of Node's own modules makes Node load the module and read every export. Some exports
 * load further modules when they are read, such as `crypto.subtle`. See `builtin-modules.ts`.
 *
 * DynamoDB, SQS and Secrets Manager have no event streams. The AWS SDK imports its reader of event streams
 * only for calls that have one. In a bundle, which is one file, that reader would always be present, with the
 * half of the SDK that nothing else uses.
 *
 * The SDK checks whether each body is a web stream. Ours never are, and the check makes Node load the module
 * of web streams.
 *
 * The SDK also looks for settings in a user's files, and has classes for features that no function uses. See
 * `lambda-config-files.ts` and `unused-classes.ts`. It sends its own version with each call, for which a
 * bundle would contain its whole `package.json`.
 *
 * JavaScript files belong to packages, and TypeScript files to the project. `pure-constants.ts` handles the
 * project's constants.
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
 * Modules that a bundle imports as a whole. Node has loaded both before any function. The properties of
 * `process` depend on the process: a forked one has more, and a bundle must not depend on the process that
 * makes it. The streams of `fs` are loaded when its property is read, which the AWS SDK does only for bodies
 * of a kind that we never send.
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
