/** Files that tests hand to the operator's commands. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * Writes files of lines into a folder that the tests of the calling file have for themselves; answers their
 * paths.
 */
export function temporaryFiles(): (name: string, ...lines: readonly string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, ...lines) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  };
}
