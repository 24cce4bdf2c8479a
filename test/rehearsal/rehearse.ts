/** The rehearsal: a deployment's life from its first creation to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import { expectFree } from "../../infra/local/index.ts";
import type { Answered } from "../releases/snapshot.ts";
import { type Assemblies, oldDeployment, synthesizeAll } from "./assemblies.ts";
import { type Assembly, synthesizeHere } from "./assembly.ts";
import { bootstrap, CommandFailed, cdk, deploy, operator, operatorEnded, smoke } from "./commands.ts";
import { type Emulator, region } from "./emulator/emulator.ts";
import { type Gateway, openGateway } from "./emulator/gateway.ts";
import { apiIdOf, stacksOf, tableNamesIn, tablesOf, usualDeployment } from "./emulator/stacks.ts";
import { type Store, setUpStore } from "./emulator/store.ts";
import { followGuide } from "./guide.ts";
import { answersFor, expectSameAnswers, putReleasedData, putUnrecordedData } from "./released-data.ts";
import { expectEverySetting, firewallRegion, settingsToTry } from "./settings.ts";
import type { Steps } from "./steps.ts";
import { expectNeeded, expectStillUnknown, takenOut } from "./taken-out.ts";
import { startTraffic } from "./traffic.ts";

/** What the phases of a rehearsal work with. */
interface Stage {
  readonly steps: Steps;
  readonly emulator: Emulator;
  readonly scratch: string;
  readonly assemblies: Assemblies;
}

/** What is deployed, and who calls it. */
interface Running extends Stage {
  readonly gateway: Gateway;
  readonly store: Store;
  /** What the API answered for data of every kind when they were stored. */
  readonly answers: readonly Answered[];
}

export async function rehearse(
  steps: Steps,
  emulator: Emulator,
  scratch: string,
  isFromHere: boolean,
): Promise<void> {
  const assemblies = await steps.value("synthesizes the last release and this checkout", () =>
    synthesizeAll(scratch, isFromHere),
  );
  if (assemblies === undefined) return;
  const stage: Stage = { steps, emulator, scratch, assemblies };
  await prepareAccount(stage);
  await failToCreate(stage);
  await refuseOldData(stage);
  const running = await create(stage);
  if (running === undefined) return;
  await upgrade(running);
  // The smoke test mostly waits for the schedules of the first deployment. The settings have deployments of
  // their own.
  await Promise.all([check(running), trySettings(running)]);
  await followGuide(steps, emulator, running.gateway.url, running.store);
  await destroy(running);
  await running.gateway.close();
}

async function prepareAccount({ steps: { step }, emulator, assemblies }: Stage): Promise<void> {
  await step("will try every setting that the emulator can take", async () => {
    expectEverySetting();
    return undefined;
  });
  await step("takes out only what the emulator does not know", async () => {
    await expectStillUnknown(emulator);
    return takenOut.map(({ what }) => what).join("; ");
  });
  await step("preflight refuses an account without the CDK's bootstrap", async () => {
    const { status, stdout } = await operatorEnded(emulator, "preflight");
    if (status === 0 || !stdout.includes("cdk bootstrap")) throw new Error(`status ${status}:\n${stdout}`);
    return undefined;
  });
  await step("bootstraps the account for the CDK", async () => {
    await bootstrap(emulator, assemblies.released.folder, region, firewallRegion);
    return undefined;
  });
  await step("preflight finds nothing that would keep a deployment from succeeding", async () => {
    await operator(emulator, "preflight");
    return undefined;
  });
}

async function failToCreate({ steps: { step }, emulator, assemblies }: Stage): Promise<void> {
  const tablesLeftBy = async ({ folder }: Assembly): Promise<readonly string[]> => {
    await expectFailure(deploy(emulator, folder, ["Data"]));
    return tableNamesIn(emulator);
  };
  await step("leaves nothing behind if a first creation fails before the tables are there", async () => {
    const tables = await tablesLeftBy(assemblies.failingBeforeTables);
    if (tables.length > 0) throw new Error(`these tables were left behind: ${tables.join(", ")}`);
    return undefined;
  });
  await step("keeps protected tables if a creation fails behind them, and preflight names them", async () => {
    const tables = await tablesLeftBy(assemblies.failingBehindTables);
    const { stdout } = await operatorEnded(emulator, "preflight");
    const unnamed = tables.filter((name) => !stdout.includes(name));
    if (tables.length === 0 || unnamed.length > 0)
      throw new Error(`${unnamed.length} not named in:\n${stdout}`);
    return `${tables.length} tables`;
  });
}

/** @throws if a command of the CDK does not fail, or fails without this text */
async function expectFailure(running: Promise<unknown>, text = ""): Promise<void> {
  const outcome = await running.catch((error: unknown) => error);
  if (!(outcome instanceof CommandFailed)) throw new Error(`it did not fail: ${String(outcome)}`);
  if (!outcome.message.includes(text)) throw new Error(`it failed otherwise: ${outcome.message}`);
}

/** Such data were once upgraded in silence, and lists of what lay elsewhere by then were empty. */
async function refuseOldData({ steps: { step }, emulator, assemblies }: Stage): Promise<void> {
  await step("refuses to deploy over data of before release 1.0.0, which it could not read", async () => {
    await deploy(emulator, assemblies.unrecorded.folder, ["Data"]);
    await putUnrecordedData(emulator, assemblies.version, oldDeployment);
    await expectFailure(deploy(emulator, assemblies.recorded.folder, ["Data"]), "before release 1.0.0");
    return undefined;
  });
}

async function create(stage: Stage): Promise<Running | undefined> {
  const { steps, emulator, assemblies } = stage;
  await steps.step("creates all stacks at the next try, without repair by hand", async () => {
    await deploy(emulator, assemblies.released.folder);
    return `${(await stacksOf(emulator)).length} stacks`;
  });
  return steps.value("is set up by the operator's commands, and has data of every kind", async () => {
    const gateway = await openGateway(emulator, await apiIdOf(emulator));
    await putReleasedData(emulator, assemblies.version);
    const store = await setUpStore(emulator, gateway.url);
    return { ...stage, gateway, store, answers: await answersFor(gateway.url, store) };
  });
}

/** Time with traffic before a deployment begins and after it has ended, in milliseconds. */
const marginMs = 2_000;

async function upgrade({ steps: { step }, emulator, assemblies, ...running }: Running): Promise<void> {
  const { gateway, store, answers } = running;
  const deployUnderTraffic = async ({ folder }: Assembly): Promise<string> => {
    const traffic = await startTraffic(store);
    await sleep(marginMs);
    // The traffic is stopped whatever comes of the deployment.
    const [deployed] = await Promise.allSettled([deploy(emulator, folder).then(() => sleep(marginMs))]);
    const { calls, orders, throttled, killed } = await traffic.stop();
    if (deployed.status === "rejected") throw deployed.reason;
    expectSameAnswers(answers, await answersFor(gateway.url, store));
    return `${calls} calls, ${orders} orders, ${throttled} answered 429, ${killed} ended by the emulator`;
  };
  await step("refuses a release that skips a layout of the data, before any code is replaced", () =>
    expectFailure(deploy(emulator, assemblies.skippingLayouts.folder), "data migrate").then(() => undefined),
  );
  await step("upgrades under traffic: no call fails, nothing is lost, and all answers stay", () =>
    deployUnderTraffic(assemblies.current),
  );
  await step("goes back to the release before under traffic", () => deployUnderTraffic(assemblies.released));
  await step("upgrades again", async () => {
    await deploy(emulator, assemblies.current.folder);
    return undefined;
  });
  await step("migrates the data to the layout of the release", async () => {
    const { stdout } = await operator(emulator, "data", "migrate", "--yes");
    return stdout.trim();
  });
}

/** Steps of the smoke test that ask for what the emulator does not have. */
const unknownToEmulator = ["metrics", "log-filters", "permissions"];

async function check({ steps: { step }, emulator, gateway, store }: Running): Promise<void> {
  await step(
    "passes the smoke test: an order's life, jobs, events, a webhook and the schedules",
    async () => {
      const port = String(await expectFree(0));
      const place = ["--url", gateway.url, "--listen", port];
      const { stdout } = await smoke(emulator, store.masterKey, ...place, "--skip", ...unknownToEmulator);
      return stdout.trim();
    },
  );
  await step("finds nothing wrong with the data", async () => {
    const { stdout } = await operator(emulator, "data", "verify");
    return stdout.trim();
  });
}

async function trySettings(running: Running): Promise<void> {
  const { steps, emulator, scratch, assemblies } = running;
  const { bundles } = assemblies;
  const used = new Set([...assemblies.released.used, ...assemblies.current.used]);
  for (const { title, deployment, prepared = {}, rounds } of settingsToTry)
    await steps.step(title, async () => {
      const common: Record<string, unknown> = { deployment };
      for (const [name, prepare] of Object.entries(prepared)) common[name] = await prepare(emulator);
      for (const { settings, check: expectEffect } of rounds) {
        const assembly = synthesizeHere(scratch, bundles, { ...common, ...settings });
        for (const entry of assembly.used) used.add(entry);
        await deploy(emulator, assembly.folder);
        await expectEffect(emulator);
      }
      return undefined;
    });
  await steps.step("takes nothing out that no stack has", async () => {
    expectNeeded(used);
    return undefined;
  });
}

async function destroy({ steps: { step }, emulator, assemblies }: Running): Promise<void> {
  await step("destroys all stacks, and leaves the tables with their data", async () => {
    const kept = Object.values(await tablesOf(emulator));
    await cdk(emulator, "destroy", "--all", "--force", "--app", assemblies.current.folder);
    const tables = await tableNamesIn(emulator);
    const gone = kept.filter((name) => !tables.includes(name));
    if (gone.length > 0) throw new Error(`these tables went away with their stack: ${gone.join(", ")}`);
    const names = (await stacksOf(emulator)).map(({ StackName = "" }) => StackName);
    const left = names.filter((name) => name.startsWith(`${usualDeployment}-`));
    if (left.length > 0) throw new Error(`these stacks were left behind: ${left.join(", ")}`);
    return `${kept.length} tables`;
  });
}
