/**
 * Runs at the end of `npm ci`: deletes 115 MB of installed files that this project never reads. Plain
 * JavaScript, because it runs on the Node that runs npm.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "..", "node_modules");

/** The `node` package installs Node for this platform in here, and links its executable from `node/bin`. */
const platforms = join(modules, "node", "node_modules");

const unread = [
  // C headers, for compiling native packages.
  ...(existsSync(platforms) ? readdirSync(platforms).map((name) => join(platforms, name, "include")) : []),
  // Descriptions of the library for languages other than JavaScript.
  join(modules, "aws-cdk-lib", ".jsii.gz"),
  join(modules, "aws-cdk-lib", ".jsii.tabl.json.gz"),
  // The AWS command line as a Lambda layer.
  join(modules, "@aws-cdk", "asset-awscli-v1", "lib", "layer.zip"),
  // ES modules beside the CommonJS ones, which are those that are loaded; sources of what is compiled.
  join(modules, "@redocly", "config", "lib-esm"),
  join(modules, "@redocly", "openapi-core", "src"),
];

for (const path of unread) rmSync(path, { recursive: true, force: true });
