/** The settings that `cdk deploy` uses: those in `cdk.json`, and `-c name=value` options. */

import * as z from "zod/mini";
import cdk from "../../../cdk.json" with { type: "json" };
import { type Settings, settingNames, settingsIn } from "../../settings.ts";
import { Usage } from "../cli/outcome.ts";

const setting = z.string().check(z.refine((text) => /^[^=]+=/.test(text), "must be name=value"));

export const contextValues = z._default(z.array(setting), []);

export const contextOption = {
  "-c, --context <settings...>": "settings, as for cdk deploy: name=value",
} as const;

/**
 * The settings that `cdk deploy` would use with the same options.
 * @param deployment the value of `--deployment`
 * @throws Usage if a setting is unknown or invalid
 */
export function statedSettings(stated: readonly string[], deployment: string | undefined): Settings {
  const options = new Map<string, unknown>(
    stated.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)] as const),
  );
  if (deployment !== undefined) options.set("deployment", deployment);
  const unknown = [...options.keys()].find((name) => !settingNames.includes(name));
  if (unknown !== undefined)
    throw new Usage(`There is no setting ${unknown}; the settings are ${settingNames.join(", ")}`);
  const context = new Map<string, unknown>([...Object.entries(cdk.context), ...options]);
  try {
    return settingsIn((name) => context.get(name));
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}
