import { inject } from "vitest";
import { alarmRules } from "./alarm-rules.ts";
import { readAssembly } from "./assembly.ts";
import { assemblyRules } from "./assembly-rules.ts";
import { deploymentRules } from "./deployment-rules.ts";
import { functionRules } from "./function-rules.ts";
import { idleCosts } from "./idle-costs.ts";
import { jobRules } from "./job-rules.ts";
import { routeRules } from "./route-rules.ts";
import { credentialRules, secretRules } from "./secret-rules.ts";
import { streamRules } from "./stream-rules.ts";
import { tableRules } from "./table-rules.ts";
import { webhookRules } from "./webhook-rules.ts";

// What the run synthesized, which the integration tests boot as well.
const assembly = readAssembly(inject("assembly"));
const get = () => assembly;

assemblyRules(get);
functionRules(get);
deploymentRules(get);
routeRules(get);
jobRules(get);
streamRules(get);
tableRules(get);
credentialRules(get);
secretRules(get);
alarmRules(get);
webhookRules(get);
idleCosts(get);
