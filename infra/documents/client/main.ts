/** `npm run client -- --out DIR [--python | --postman]`: writes a client of the service into a folder. */
import { parseArgs } from "node:util";

const usage = "Usage: npm run client -- --out DIR [--python | --postman]";

const options = {
  out: { type: "string" },
  python: { type: "boolean", default: false },
  postman: { type: "boolean", default: false },
} as const;

async function write(): Promise<string> {
  const { out, python, postman } = parseArgs({ options }).values;
  if (out === undefined || out === "")
    throw new Error("--out is missing: it names the folder to write into.");
  if (postman) {
    const { writePostman } = await import("./postman.ts");
    return `${writePostman(out)}\nImport it into Postman, and set its variables.\n`;
  }
  if (python) {
    const { writePythonClient } = await import("./python.ts");
    const wheel = await writePythonClient(out);
    return `${wheel}\nInstall it: pip install ${wheel}\n`;
  }
  const { writeClient } = await import("./typescript.ts");
  const tarball = await writeClient(out);
  return `${tarball}\nInstall it: npm install ${tarball}\n`;
}

try {
  process.stdout.write(await write());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`);
  process.exitCode = 1;
}
