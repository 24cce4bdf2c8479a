/**
 * What holds for apps that are built for these tests, with functions and settings of their own. One file asks all of it, because a
 * process spends seconds on loading the CDK and CloudFormation's rules before it builds its first app.
 */
import { appRules } from "./app-rules.ts";
import { bestPracticeRules } from "./best-practice-rules.ts";
import { edgeApps } from "./edge-apps.ts";
import { edgeRules } from "./edge-rules.ts";
import { edgeSettingRules } from "./edge-setting-rules.ts";
import { releasedRules } from "./released-rules.ts";
import { settingRules } from "./setting-rules.ts";
import { smallApps } from "./small-apps.ts";
import { streamAppRules } from "./stream-app-rules.ts";
import { tableSettingRules } from "./table-setting-rules.ts";

const small = smallApps();
appRules(small);
settingRules(small);
releasedRules(small);
tableSettingRules(small);
streamAppRules(small);
edgeSettingRules(small);

const withEdge = edgeApps();
edgeRules(withEdge);
bestPracticeRules(withEdge);
