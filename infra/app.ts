import { App } from "aws-cdk-lib";
import cdk from "../cdk.json" with { type: "json" };
import { functions as allFunctions } from "../functions/index.ts";
import type { FunctionContract } from "../shared/contract.ts";
import { networksIn } from "../shared/http/pages/networks.ts";
import { bundle } from "./bundle.ts";
import { sortFunctions } from "./constructs/catalog.ts";
import { defaultAssembly, defaultBundles } from "./outputs.ts";
import { AlertsStack } from "./stacks/alerts-stack.ts";
import { ApiStack } from "./stacks/api-stack.ts";
import { AreaStack } from "./stacks/area-stack.ts";
import { DataStack } from "./stacks/data-stack.ts";
import { JobsStack, sendable } from "./stacks/jobs-stack.ts";
import { ObservabilityStack } from "./stacks/observability-stack.ts";
import { StreamsStack } from "./stacks/streams-stack.ts";

export interface AppOptions {
  /** Where the cloud assembly is written. */
  readonly outdir?: string;
  /** The folder of the bundles, which `bundle()` must have filled. */
  readonly bundles?: string;
  readonly functions?: Readonly<Record<string, FunctionContract>>;
  /** Values that `-c name=value` gives on the CDK's command line: `deployment`, `alarmEmail`, `internalNetworks`, `tracing`. */
  readonly context?: Readonly<Record<string, string>>;
}

/**
 * All stacks, from the lowest to the highest: data, jobs, streams, API, then the endpoints of each area.
 *
 * The stacks name no account and no region. So anyone can synthesize them without credentials, and gets the same
 * templates. Several deployments fit into one account, because all names begin with the context value `deployment`.
 */
export const buildApp = (options: AppOptions = {}): App => {
  const { outdir = "cdk.out", bundles = defaultBundles, functions = allFunctions } = options;
  // The feature flags. Otherwise only the CDK's command line would read them, and templates would differ.
  const app = new App({ outdir, context: { ...cdk.context, ...options.context } });
  const deployment = deploymentName(app);
  const named = (name: string) => ({ stackName: `${deployment}-${name}` });
  const catalog = sortFunctions(functions);

  const tracing = switchContext(app, "tracing");
  const alarmEmail = textContext(app, "alarmEmail");
  const { topic } = new AlertsStack(app, "Alerts", { ...named("alerts"), alarmEmail });
  const { tables, secret } = new DataStack(app, "Data", { ...named("data"), terminationProtection: true });
  const lower = { tables, secret, bundles, internalNetworks: internalNetworks(app), deployment, tracing };
  const { queues } = new JobsStack(app, "Jobs", { ...named("jobs"), catalog, surroundings: lower, topic });
  const surroundings = { ...lower, queues: sendable(queues) };
  const { fallback, streams } = catalog;
  if (streams.length > 0)
    new StreamsStack(app, "Streams", { ...named("streams"), streams, surroundings, topic });
  const { httpApi } = new ApiStack(app, "Api", {
    ...named("api"),
    // The API has no domain of its own, so its clients' URL goes away with it.
    terminationProtection: true,
    fallback,
    surroundings,
    topic,
  });
  for (const [area, endpoints] of catalog.endpoints) {
    new AreaStack(app, capitalized(area), { ...named(area), endpoints, surroundings, httpApi });
  }
  if (catalog.pages.length > 0)
    new AreaStack(app, "Docs", { ...named("docs"), endpoints: catalog.pages, surroundings, httpApi });
  const seen = { httpApi, queues, tables, deployment };
  new ObservabilityStack(app, "Observability", { ...named("observability"), ...seen });
  return app;
};

const textContext = (app: App, name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** @throws where it is neither `on` nor `off`, so that a slip is found before anything is deployed */
const switchContext = (app: App, name: string): boolean => {
  const value = textContext(app, name) ?? "off";
  if (value !== "on" && value !== "off") throw new Error(`"${name}" is "on" or "off", not "${value}".`);
  return value === "on";
};

/** @throws where it is no list of CIDR blocks, so that a slip is found before anything is deployed */
const internalNetworks = (app: App): string => {
  const networks = textContext(app, "internalNetworks") ?? "";
  networksIn(networks);
  return networks;
};

/** Letters and digits only, because the dashboard finds the functions by this first word of their names. */
const deploymentName = (app: App): string => {
  const name = textContext(app, "deployment") ?? "oiw";
  if (!/^[a-z][a-z0-9]{0,19}$/.test(name)) throw new Error(`"${name}" cannot name a deployment.`);
  return name;
};

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

if (import.meta.main) {
  await bundle();
  buildApp({ outdir: process.env["CDK_OUTDIR"] ?? defaultAssembly }).synth();
}
