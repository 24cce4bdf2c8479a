/**
 * Runs at the end of `npm ci`: deletes 155 MB of installed files that this project never reads. Plain
 * JavaScript, because it runs on the Node that runs npm.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";

const root = join(import.meta.dirname, "..");

/** What native libraries are called, by system. */
const natives = new Map([
  ["darwin", "dylib"],
  ["linux", "so"],
  ["win32", "dll"],
]);
const foreign = [...natives].filter(([system]) => system !== process.platform).map(([, ending]) => ending);

/** Files and folders, by their path in a folder of packages. */
const unread = [
  // C headers, for compiling native packages. `node` installs Node for this platform in here.
  /^node\/node_modules\/[^/]+\/include$/,
  // Descriptions of the library for languages other than JavaScript, and its manual.
  /^aws-cdk-lib\/\.jsii(\.tabl\.json)?\.gz$/,
  /^aws-cdk-lib\/.*\/README\.md$/,
  // The AWS command line as a Lambda layer.
  /^@aws-cdk\/asset-awscli-v1\/lib\/layer\.zip$/,
  // Types for TypeScript before 4.5.
  /\/dist-types\/ts3\.4$/,
  // Sources that were compiled, which Node does not run in here, and what shows them in a debugger.
  /(?<!\.d)\.ts$/,
  /\.map$/,
  // Tests of the packages themselves.
  /^(@[^/]+\/)?[^/]+\/(test|benchmarks)$/,
  // ES modules beside the CommonJS ones, which are those that are required.
  /^@redocly\/config\/lib-esm$/,
  // TypeScript 5 as a program, and its messages in other languages. The client is made by its interface.
  /^typescript\/lib\/_tsc\.js$/,
  /^typescript\/lib\/[^/]+\/diagnosticMessages\.generated\.json$/,
  // SQLite for other systems, which DynamoDB Local has.
  new RegExp(`sqlite4java.*\\.(${foreign.join("|")})$`),
];

const packages = ["node_modules", "infra/documents/client/node_modules"].map((folder) => join(root, folder));

for (const folder of packages.filter((path) => existsSync(path)))
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    const inside = relative(folder, path).split(sep).join("/");
    if (unread.some((rule) => rule.test(inside))) rmSync(path, { recursive: true, force: true });
  }
