/**
 * `npm run check:model`: runs the models of the protocols with Quint. As they are built, no run breaks an
 * invariant; without any one of their conditions, some run does. Quint is not installed with the project: npm
 * brings it, and keeps it in its cache.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../../infra/paths.ts";

const { values } = parseArgs({ options: { samples: { type: "string", default: "1000" } } });

/** A later version of antlr4ts, which Quint would choose, can't be loaded. */
const packages = ["@informalsystems/quint@0.33.1", "antlr4ts@0.5.0-alpha.4"];

/** Actions of a run. Each model comes to its end within fewer. */
const maxSteps = 25;

/** Random runs of a model. Returns whether one of them broke an invariant. @throws Error if Quint fails */
function isBroken(file: string, module: string): boolean {
  const words = [
    ...packages.map((name) => `--package=${name}`),
    ...["--", "quint", "run", "--backend=typescript", `--main=${module}`, "--invariant=holds"],
    ...[`--max-samples=${values.samples}`, `--max-steps=${maxSteps}`, "--seed=1", file],
  ];
  const { status, stdout, stderr } = spawnSync("npx", ["--yes", ...words], { encoding: "utf8" });
  if (status === 0 && stdout.includes("[ok]")) return false;
  if (stdout.includes("[violation]")) return true;
  throw new Error(`${file}, ${module}: ${stdout}${stderr}`);
}

const folder = join(projectRoot, "test/model");
let wrong = 0;
for (const name of readdirSync(folder).filter((one) => one.endsWith(".qnt"))) {
  const file = join(folder, name);
  const modules = [...readFileSync(file, "utf8").matchAll(/^module (\w+) \{\s+import/gm)].map(
    (found) => found[1] ?? "",
  );
  if (modules.length < 2) throw new Error(`${name} has no variants`);
  for (const module of modules) {
    const broken = isBroken(file, module);
    if (broken !== (module !== "asBuilt")) wrong += 1;
    process.stdout.write(
      `${name} ${module}: ${broken ? "an invariant breaks" : `${values.samples} runs hold`}\n`,
    );
  }
}
process.exitCode = wrong === 0 ? 0 : 1;
