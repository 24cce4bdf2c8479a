import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { describe, expect, test } from "vitest";
import { onOneProcessor } from "../../../infra/local/data/processor.ts";

const hasTaskset = spawnSync("taskset", ["--version"]).status === 0;

const module = new URL("../../../infra/local/data/processor.ts", import.meta.url).href;

/** The last processor that this process may run on, as `taskset` names it. */
const [last = ""] = cpus()
  .map((_, position) => String(position))
  .filter((one) => spawnSync("taskset", ["-c", one, "true"]).status === 0)
  .slice(-1);

/** What a command prints, and its status. */
const run = ([program = "", ...args]: readonly string[], env?: NodeJS.ProcessEnv) => {
  const { stdout, status } = spawnSync(program, args, { encoding: "utf8", env });
  return { said: stdout.trim(), status };
};

describe("onOneProcessor", () => {
  test.runIf(hasTaskset)("leaves a program one processor", () => {
    const allowed = run(onOneProcessor(["sed", "-n", "s/^Cpus_allowed_list:\\t//p", "/proc/self/status"]));

    expect(allowed).toEqual({ said: expect.stringMatching(/^\d+$/), status: 0 });
  });

  test.runIf(hasTaskset)("takes a processor that the process itself may run on", () => {
    const script = `import { onOneProcessor } from ${JSON.stringify(module)};
      process.stdout.write(onOneProcessor(["java"]).at(-2));`;

    const chosen = run(["taskset", "-c", last, process.execPath, "--input-type=module", "-e", script]);

    expect(chosen).toEqual({ said: last, status: 0 });
  });

  test("runs a program as it is where there is no taskset", () => {
    const command = onOneProcessor([process.execPath, "-p", "6 * 7"]);

    expect(run(command, { PATH: "/nowhere" })).toEqual({ said: "42", status: 0 });
  });

  test("ends with status 127 if there is no such program, as a shell does", () => {
    expect(run(onOneProcessor(["/nowhere/java"])).status).toBe(process.platform === "linux" ? 127 : null);
  });
});
