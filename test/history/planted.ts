/** Runs the checker on a copy of the project that has a fault, to show that it finds it. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../infra/paths.ts";
import { plantedFaults } from "../simulation/planted/index.ts";
import { edited } from "../simulation/planted/plant.ts";

/** What a copy does not need, or makes itself. */
const left = ["node_modules", "dist", "cdk.out", ".git"];

/**
 * Plants a fault of the simulator in a copy, and runs the checker there. @returns its exit code
 * @throws if no fault has this name
 */
export function runPlanted(name: string, parameters: readonly string[]): number {
  const edits = plantedFaults.get(name);
  if (edits === undefined) throw new Error(`no planted fault is named ${name}`);
  const copy = mkdtempSync(join(tmpdir(), "planted-"));
  try {
    for (const part of readdirSync(projectRoot).filter((one) => !left.includes(one)))
      cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules"), join(copy, "node_modules"));
    for (const edit of edits) {
      const file = join(copy, edit.file);
      writeFileSync(file, edited(readFileSync(file, "utf8"), edit));
    }
    const main = join(copy, "test/history/main.ts");
    return spawnSync(process.execPath, [main, ...parameters], { stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}
