/** `npm run openapi [-- DIR]`: writes the OpenAPI documents into a folder, `openapi` by default. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { documentNames } from "./areas.ts";
import { documentOf } from "./document.ts";

const [folder = "openapi"] = parseArgs({ allowPositionals: true }).positionals;
mkdirSync(folder, { recursive: true });
for (const name of documentNames) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(documentOf(name), undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
}
