import { App, Tags } from "aws-cdk-lib";
import cdk from "../cdk.json" with { type: "json" };
import { functions as allFunctions } from "../functions/index.ts";
import type { FunctionContract } from "../shared/contract.ts";
import { bundle } from "./bundle.ts";
import { signInsOf, sortFunctions } from "./constructs/catalog.ts";
import { defaultAssembly, defaultBundles } from "./outputs.ts";
import { ownDomain, settingsOf } from "./settings.ts";
import { AlertsStack } from "./stacks/alerts-stack.ts";
import { ApiStack } from "./stacks/api-stack.ts";
import { AreaStack } from "./stacks/area-stack.ts";
import { DataStack } from "./stacks/data-stack.ts";
import { EdgeStack } from "./stacks/edge-stack.ts";
import { FirewallStack } from "./stacks/firewall-stack.ts";
import { JobsStack, sendable } from "./stacks/jobs-stack.ts";
import { ObservabilityStack } from "./stacks/observability-stack.ts";
import { StageStack } from "./stacks/stage-stack.ts";
import { StreamsStack } from "./stacks/streams-stack.ts";

export interface AppOptions {
  /** Where the cloud assembly is written. */
  readonly outdir?: string;
  /** The folder of the bundles, which `bundle()` must have filled. */
  readonly bundles?: string;
  readonly functions?: Readonly<Record<string, FunctionContract>>;
  /** Values that `-c name=value` gives on the CDK's command line; see `settings.ts`. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * All stacks, from the lowest to the highest: data, jobs, streams, API, then the endpoints of each area, and the stage.
 *
 * The stacks name no account, and no region but for two settings: a firewall lies in us-east-1, and tables with replicas have a
 * home. So anyone can synthesize the stacks without credentials, and gets the same templates. Several deployments fit into one
 * account, because all names begin with the context value `deployment`.
 */
export const buildApp = (options: AppOptions = {}): App => {
  const { outdir = "cdk.out", bundles = defaultBundles, functions = allFunctions } = options;
  // The feature flags. Otherwise only the CDK's command line would read them, and templates would differ.
  const app = new App({ outdir, context: { ...cdk.context, ...options.context } });
  const settings = settingsOf(app);
  const { deployment, alarmEmail, deploys, internalNetworks, tracing, replicas, firewall, edge } = settings;
  const named = (name: string) => ({
    stackName: `${deployment}-${name}`,
    ...(replicas === undefined ? {} : { env: { region: replicas.home } }),
  });
  const catalog = sortFunctions(functions);

  const domain = ownDomain(settings);
  const { topic } = new AlertsStack(app, "Alerts", { ...named("alerts"), alarmEmail });
  const { tables, secret } = new DataStack(app, "Data", {
    ...named("data"),
    terminationProtection: true,
    settings,
  });
  const common = {
    internalNetworks,
    deployment,
    tracing: tracing === "on",
    deploys,
    edge,
    publishing: settings,
  };
  const lower = { tables, secret, bundles, ...common };
  const { queues } = new JobsStack(app, "Jobs", { ...named("jobs"), catalog, surroundings: lower, topic });
  const surroundings = { ...lower, queues: sendable(queues) };
  const { fallback, streams } = catalog;
  if (streams.length > 0)
    new StreamsStack(app, "Streams", { ...named("streams"), streams, surroundings, topic });
  const { httpApi } = new ApiStack(app, "Api", {
    ...named("api"),
    // Without a domain of the operator's, the clients' URL goes away with the API.
    terminationProtection: true,
    fallback,
    surroundings,
    topic,
    hasAddress: settings.gatewayAddress === "on",
  });
  const areas = [...catalog.endpoints].map(
    ([area, endpoints]) =>
      new AreaStack(app, capitalized(area), { ...named(area), endpoints, surroundings, httpApi, topic }),
  );
  if (catalog.pages.length > 0)
    areas.push(
      new AreaStack(app, "Docs", {
        ...named("docs"),
        endpoints: catalog.pages,
        surroundings,
        httpApi,
        topic,
      }),
    );
  const signIns = signInsOf(catalog);
  const reachable = new StageStack(app, "Stage", {
    ...named("stage"),
    terminationProtection: true,
    httpApi,
    signIns,
    domain,
    deployment,
    topic,
  });
  for (const area of areas) reachable.addStackDependency(area);
  if (edge !== undefined) {
    const above = new EdgeStack(app, "Edge", {
      ...named("edge"),
      terminationProtection: true,
      httpApi,
      edge,
    });
    above.addStackDependency(reachable);
  }
  if (firewall !== undefined)
    new FirewallStack(app, "Firewall", {
      ...named("firewall"),
      env: { region: "us-east-1" },
      limits: firewall,
      signIns,
    });
  const seen = { httpApi, queues, tables, deployment, topic };
  new ObservabilityStack(app, "Observability", { ...named("observability"), ...seen });
  // For the bill, and for whoever finds a resource in the console.
  Tags.of(app).add("service", "order-inventory-warehouse");
  Tags.of(app).add("deployment", deployment);
  return app;
};

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

if (import.meta.main) {
  await bundle();
  buildApp({ outdir: process.env["CDK_OUTDIR"] ?? defaultAssembly }).synth();
}
