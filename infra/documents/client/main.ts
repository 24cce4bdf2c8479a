/** `npm run client -- --out DIR`: writes the package of the typed client into a folder. */
import { parseArgs } from "node:util";
import { packageName, Unusable, writeClient } from "./generate.ts";

const usage = "Usage: npm run client -- --out DIR";

const folderOf = (args: readonly string[]): string => {
  try {
    const { out } = parseArgs({ args: [...args], options: { out: { type: "string" } } }).values;
    if (out !== undefined && out !== "") return out;
  } catch (error) {
    throw new Unusable(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
  throw new Unusable(`--out is missing: it names the folder to write ${packageName} into.\n${usage}`);
};

try {
  const folder = folderOf(process.argv.slice(2));
  await writeClient(folder);
  process.stdout.write(`${packageName} is in ${folder}. Install it: npm install --install-links ${folder}\n`);
} catch (error) {
  if (!(error instanceof Unusable)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
