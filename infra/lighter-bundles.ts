/**
 * Leaves out of a bundle what costs a function time while it loads, and is never used there.
 *
 * An `import` of one of Node's own modules has Node read every export of it. Some load further modules when they are read,
 * such as `crypto.subtle`. `getBuiltinModule` reads what is used and no more.
 *
 * DynamoDB, SQS and Secrets Manager have no streams of events. The AWS SDK would load what reads them where a call has
 * some. As a bundle is one file, that would be in it, and would keep half of the SDK from being left out.
 *
 * Packages are JavaScript, and TypeScript is the project's own: what holds for its constants is said in `pure-constants.ts`.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { withPureConstants } from "./pure-constants.ts";

export const lighterBundles: Plugin = {
  name: "lighter-bundles",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "builtin", sideEffects: false }));
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: "js",
    }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: withPureConstants(readFileSync(path, "utf8")),
      loader: "ts",
    }));
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({ path, external: true }));
  },
};
