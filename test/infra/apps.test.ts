/**
 * What holds for apps that are built for these tests, with functions and settings of their own. One file asks
 * all of it, because a process spends seconds on loading the CDK and CloudFormation's rules before it builds
 * its first app.
 */

import { edgeApps } from "./apps/edge-apps.ts";
import { smallApps } from "./apps/small-apps.ts";
import { noticeRules } from "./rules/alarm-rules.ts";
import { appRules } from "./rules/app-rules.ts";
import { bestPracticeRules } from "./rules/best-practice-rules.ts";
import { streamAppRules } from "./rules/data/stream-app-rules.ts";
import { tableSettingRules } from "./rules/data/table-setting-rules.ts";
import { edgeRules } from "./rules/edge-rules.ts";
import { edgeSettingRules } from "./rules/edge-setting-rules.ts";
import { releasedRules } from "./rules/released-rules.ts";
import { settingRules } from "./rules/setting-rules.ts";

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
noticeRules(() => withEdge.lesser.assembly);
