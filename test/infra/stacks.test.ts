import { afterAll, beforeAll } from "vitest";
import { alarmRules } from "./alarm-rules.ts";
import { type Assembly, discard, synthesize } from "./assembly.ts";
import { assemblyRules } from "./assembly-rules.ts";
import { functionRules } from "./function-rules.ts";
import { jobRules } from "./job-rules.ts";
import { routeRules } from "./route-rules.ts";
import { secretRules } from "./secret-rules.ts";
import { tableRules } from "./table-rules.ts";

// One file registers all rules, because synthesizing takes seconds and each test file would do it again.
let assembly: Assembly | undefined;

const get = (): Assembly => {
  if (assembly === undefined) throw new Error("Nothing was synthesized.");
  return assembly;
};

beforeAll(() => {
  assembly = synthesize();
});

afterAll(() => {
  if (assembly !== undefined) discard(assembly);
});

assemblyRules(get);
functionRules(get);
routeRules(get);
jobRules(get);
tableRules(get);
secretRules(get);
alarmRules(get);
