/**
 * The settings that `cdk deploy` has: those of `cdk.json`, and options as the CDK's command line takes them.
 */
import * as z from "zod/mini";
import cdk from "../../../cdk.json" with { type: "json" };
import { type Settings, settingNames, settingsIn } from "../../settings.ts";
import { Usage } from "../cli/failures.ts";

const setting = z.string().check(z.refine((text) => /^[^=]+=/.test(text), "must be name=value"));

/** The values of the option `--context`. */
export const contextValues = z._default(z.array(setting), []);

/** The option by which a command takes settings. */
export const contextOption = {
  "-c, --context <settings...>": "settings as cdk takes them: name=value",
} as const;

/**
 * The settings that `cdk deploy` would have with the same options.
 * @param deployment the one that `--deployment` names, if it is given
 * @throws Usage if a setting makes no sense
 */
export function statedSettings(stated: readonly string[], deployment: string | undefined): Settings {
  const options = new Map<string, unknown>(
    stated.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)] as const),
  );
  if (deployment !== undefined) options.set("deployment", deployment);
  const unknown = [...options.keys()].find((name) => !settingNames.includes(name));
  if (unknown !== undefined)
    throw new Usage(`There is no setting ${unknown}; there are ${settingNames.join(", ")}`);
  const context = new Map<string, unknown>([...Object.entries(cdk.context), ...options]);
  try {
    return settingsIn((name) => context.get(name));
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}
