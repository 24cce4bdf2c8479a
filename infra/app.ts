import { Annotations, App, type Stack, Tags } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import cdk from "../cdk.json" with { type: "json" };
import { functions as allFunctions } from "../functions/index.ts";
import type { FunctionContract, Route } from "../shared/runtime/contract.ts";
import { bundle } from "./bundle/bundle.ts";
import { signInsOf, sortFunctions } from "./catalog.ts";
import { NoticeAlarm } from "./constructs/notice-alarm.ts";
import { defaultAssembly, defaultBundles } from "./paths.ts";
import { lastRelease, lastReleaseContext, type Release } from "./release/released.ts";
import { ownDomain, type Settings, settingsOf } from "./settings.ts";
import { AlertsStack } from "./stacks/alerts-stack.ts";
import { ApiStack } from "./stacks/api-stack.ts";
import { AreaStack } from "./stacks/area-stack.ts";
import { BackupsStack } from "./stacks/backups-stack.ts";
import { DataStack } from "./stacks/data-stack.ts";
import { EdgeStack } from "./stacks/edge-stack.ts";
import { FirewallStack } from "./stacks/firewall-stack.ts";
import { JobsStack, sendable } from "./stacks/jobs-stack.ts";
import { ObservabilityStack } from "./stacks/observability-stack.ts";
import { StageStack } from "./stacks/stage-stack.ts";
import { StreamsStack } from "./stacks/streams-stack.ts";

interface AppOptions {
  /** Where the cloud assembly is written. */
  readonly outdir?: string;
  /** The folder of the bundles, which `bundle()` must have filled. */
  readonly bundles?: string;
  readonly functions?: Readonly<Record<string, FunctionContract>>;
  /** Values that `-c name=value` gives on the CDK's command line; see `settings.ts`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** What functions were allowed in the last release. Defaults to the recorded permissions. */
  readonly released?: Release;
}

/**
 * All stacks, in the order of their deployment: data, backups, jobs, streams, API, the endpoints of each
 * area, and the stage.
 *
 * The stacks name no account, and a region only for two settings: a firewall is in us-east-1, and tables with
 * replicas have a home region. So anyone can synthesize the stacks without credentials and gets the same
 * templates. Several deployments fit into one account, because all names begin with the context value
 * `deployment`.
 *
 * No stack has termination protection. The CDK enables it before it creates a stack, so the next `cdk deploy`
 * could not delete a stack whose creation failed, as it has to. Whatever must not be lost is protected by
 * itself: see `DataStack`.
 */
export const buildApp = (options: AppOptions = {}): App => {
  const { outdir = "cdk.out", bundles = defaultBundles, functions = allFunctions } = options;
  // The feature flags. By default only the CDK's command line reads them, and templates would differ.
  const app = new App({ outdir, context: { ...cdk.context, ...options.context } });
  const settings = settingsOf(app);
  const { deployment, alarmEmail, budget } = settings;
  const named = naming(settings);
  const catalog = sortFunctions(functions);

  const { topics } = new AlertsStack(app, "Alerts", { ...named("alerts"), alarmEmail, budget });
  const { tables, secret } = new DataStack(app, "Data", { ...named("data"), settings, bundles });
  new BackupsStack(app, "Backups", { ...named("backups"), settings, tables });
  const released =
    options.released ?? (app.node.tryGetContext(lastReleaseContext) === "none" ? {} : lastRelease());
  const lower = { tables, secret, bundles, released, ...commonOf(settings) };
  const monitors = settings.monitor === "on";
  const jobs = new JobsStack(app, "Jobs", { ...named("jobs"), catalog, resources: lower, monitors });
  const { queues } = jobs;
  const common = { resources: { ...lower, queues: sendable(queues) } };
  const consumers: Stack[] = [jobs];
  const { fallback, streams } = catalog;
  if (streams.length > 0)
    consumers.push(new StreamsStack(app, "Streams", { ...named("streams"), streams, ...common }));
  const hasAddress = settings.gatewayAddress === "on";
  const { httpApi } = new ApiStack(app, "Api", { ...named("api"), fallback, hasAddress, ...common });
  const areas = [...catalog.endpoints, ["docs", catalog.pages] as const].flatMap(([name, endpoints]) =>
    endpoints.length === 0
      ? []
      : [new AreaStack(app, capitalized(name), { ...named(name), endpoints, httpApi, ...common })],
  );
  // Endpoints may send and store data in a new shape, so its consumers are updated first.
  for (const area of areas) for (const consumer of consumers) area.addStackDependency(consumer);
  addEntrance(app, settings, { httpApi, signIns: signInsOf(catalog), areas });
  const seen = { httpApi, queues, tables, deployment };
  new ObservabilityStack(app, "Observability", { ...named("observability"), ...seen });
  for (const one of app.node.findAll()) if (one instanceof NoticeAlarm) one.notify(topics);
  // For the bill, and for people who find a resource in the console.
  Tags.of(app).add("service", "order-inventory-warehouse");
  Tags.of(app).add("deployment", deployment);
  return app;
};

/** The prefix of a stack's name, and its region if the settings name one. */
const naming =
  ({ deployment, replicas }: Settings) =>
  (name: string) => ({
    stackName: `${deployment}-${name}`,
    ...(replicas === undefined ? {} : { env: { region: replicas.home } }),
  });

/** The settings that all functions receive. */
const commonOf = (settings: Settings) => {
  const { internalNetworks, deployment, tracing, deploys, edge, corsOrigins } = settings;
  return {
    internalNetworks,
    deployment,
    tracing: tracing === "on",
    deploys,
    edge,
    corsOrigins,
    publishing: settings,
  };
};

interface Entrance {
  readonly httpApi: HttpApi;
  readonly signIns: readonly Route[];
  /** The stacks with the API's routes, for which the stage sets limits. */
  readonly areas: readonly Stack[];
}

/**
 * Adds what makes the API reachable: its stage and, if the settings ask for them, CloudFront and its
 * firewall.
 */
const addEntrance = (app: App, settings: Settings, { httpApi, signIns, areas }: Entrance): void => {
  const { deployment, edge, firewall } = settings;
  const named = naming(settings);
  const domain = ownDomain(settings);
  const stage = { httpApi, signIns, domain, deployment };
  const reachable = new StageStack(app, "Stage", { ...named("stage"), ...stage });
  for (const area of areas) reachable.addStackDependency(area);
  if (edge !== undefined)
    new EdgeStack(app, "Edge", { ...named("edge"), httpApi, edge }).addStackDependency(reachable);
  if (firewall !== undefined)
    new FirewallStack(app, "Firewall", {
      ...named("firewall"),
      env: { region: "us-east-1" },
      limits: firewall,
      signIns,
    });
};

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** For operators only: the service on a developer's machine has no alarms. */
export function warnIfAlarmsNotifyNoOne(app: App): void {
  if (settingsOf(app).alarmEmail !== undefined) return;
  Annotations.of(app.node.findChild("Alerts")).addWarningV2(
    "alarmEmail",
    "Alarms notify no one: set alarmEmail.",
  );
}

if (import.meta.main) {
  await bundle();
  const app = buildApp({ outdir: process.env["CDK_OUTDIR"] ?? defaultAssembly });
  warnIfAlarmsNotifyNoOne(app);
  app.synth();
}
