import { inject } from "vitest";
import { readAssembly } from "./apps/assembly.ts";
import { idleCosts } from "./apps/idle-costs.ts";
import { alarmRules } from "./rules/alarm-rules.ts";
import { assemblyRules } from "./rules/assembly-rules.ts";
import { jobRules } from "./rules/data/job-rules.ts";
import { credentialRules, secretRules } from "./rules/data/secret-rules.ts";
import { streamRules } from "./rules/data/stream-rules.ts";
import { tableRules } from "./rules/data/table-rules.ts";
import { webhookRules } from "./rules/data/webhook-rules.ts";
import { deploymentRules } from "./rules/deployment-rules.ts";
import { functionRules } from "./rules/function-rules.ts";
import { routeRules } from "./rules/route-rules.ts";

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
