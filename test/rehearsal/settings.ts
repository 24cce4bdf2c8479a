/** Settings that the emulator can take, tried by deployments of their own, round by round. */
import { createHash } from "node:crypto";
import { CreateSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { type Settings, settingNames } from "../../infra/settings.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { awsAccount, type Emulator, region } from "./emulator/emulator.ts";
import {
  changeMappingsOf,
  replicasOf,
  stacksOf,
  streamOf,
  tableNamesIn,
  tablesOf,
} from "./emulator/stacks.ts";

type Stated = Readonly<Partial<Record<keyof Settings, unknown>>>;

export interface Round {
  readonly settings: Stated;
  /** @throws if the settings did not do what they are for, as far as the emulator tells */
  readonly check: (emulator: Emulator) => Promise<void>;
}

interface SettingsToTry {
  readonly title: string;
  readonly deployment: string;
  /** Settings of all rounds that name what has to be in the emulator before. */
  readonly prepared?: Readonly<Partial<Record<keyof Settings, (emulator: Emulator) => Promise<unknown>>>>;
  readonly rounds: readonly Round[];
}

/** The region that CloudFront's firewall lies in. */
export const firewallRegion = "us-east-1";

/** Of what the emulator does not look for. */
const unusedId = "00000000-0000-0000-0000-000000000000";

/** The region that tables are copied to. */
const otherRegion = "eu-central-1";

function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: expected ${other} but found ${one}`);
}

/** @throws unless the second deployment's publisher has event sources of this state and window, in seconds */
const expectEvents =
  (state: "Enabled" | "Disabled", window = 0) =>
  async (emulator: Emulator): Promise<void> => {
    const mappings = await changeMappingsOf(emulator, "second");
    if (mappings.length === 0) throw new Error("Nothing calls the publisher.");
    const expected = mappings.map(() => ({ state, window }));
    expectEqual("the event sources of the publisher", mappings, expected);
  };

/**
 * The emulator passes over the replicas of a template. It does make the streams, which replicas need of every
 * table.
 * @throws also if it makes replicas by now
 */
const expectReplicas =
  (...regions: readonly unknown[]) =>
  async (emulator: Emulator): Promise<void> => {
    const tables = await tablesOf(emulator, "copied");
    const stated = await replicasOf(emulator, "copied");
    expectEqual(
      "the regions of the tables",
      stated,
      tableNames.map(() => regions),
    );
    for (const name of tableNames) {
      const stream = await streamOf(emulator, tables[tableSchemas[name].variable] ?? "");
      const hasStream = regions.length > 1 || tableSchemas[name].changes === true;
      expectEqual(`whether the table ${name} has a stream`, stream !== undefined, hasStream);
    }
    if ((await tableNamesIn(emulator, otherRegion)).length > 0)
      throw new Error("The emulator makes replicas by now: look at them in test/rehearsal/settings.ts.");
  };

/** A distribution with a secret that it proves itself with. */
async function edgeSetting({ clientConfig }: Emulator): Promise<Settings["edge"]> {
  const text = "rehearsal";
  const client = new SecretsManagerClient(clientConfig);
  try {
    const { ARN: secret = "" } = await client.send(
      new CreateSecretCommand({ Name: "rehearsal-edge", SecretString: text }),
    );
    return {
      firewall: `arn:aws:wafv2:${firewallRegion}:${awsAccount}:global/webacl/second-firewall/${unusedId}`,
      domainName: "shop.example.com",
      certificateArn: `arn:aws:acm:${firewallRegion}:${awsAccount}:certificate/${unusedId}`,
      secret,
      digests: [createHash("sha256").update(text).digest("hex")],
      direct: "answered",
    };
  } finally {
    client.destroy();
  }
}

async function expectEdge(emulator: Emulator): Promise<void> {
  for (const [stack, place] of [
    ["second-edge", region],
    ["second-firewall", firewallRegion],
  ] as const) {
    const names = (await stacksOf(emulator, place)).map(({ StackName }) => StackName);
    if (!names.includes(stack)) throw new Error(`${stack} is not among ${names.join(", ")} in ${place}`);
  }
}

/** Tables of the second deployment, as if they had been restored. */
async function restoredTables(emulator: Emulator): Promise<Settings["restoredTables"]> {
  const { TABLE_ORDERS: orders = "", TABLE_DIRECTORY: directory = "" } = await tablesOf(emulator, "second");
  return {
    orders: { name: orders, stream: await streamOf(emulator, orders) },
    directory: { name: directory },
  };
}

async function expectRestored(emulator: Emulator): Promise<void> {
  const { orders, directory } = await restoredTables(emulator);
  const { TABLE_ORDERS, TABLE_DIRECTORY } = await tablesOf(emulator, "third");
  expectEqual("the tables that serve", [TABLE_ORDERS, TABLE_DIRECTORY], [orders?.name, directory?.name]);
}

export const settingsToTry: readonly SettingsToTry[] = [
  {
    title: "creates a second deployment behind CloudFront, and switches its events off and on",
    deployment: "second",
    prepared: { edge: edgeSetting },
    rounds: [
      { settings: { firewall: {} }, check: expectEdge },
      { settings: { firewall: {}, events: "off" }, check: expectEvents("Disabled") },
      { settings: { firewall: {}, events: "on", eventsWindow: 5 }, check: expectEvents("Enabled", 5) },
    ],
  },
  {
    title: "copies all tables to another region, and stops doing so",
    deployment: "copied",
    rounds: [
      {
        settings: { replicas: { home: region, others: [otherRegion] } },
        check: expectReplicas(otherRegion, region),
      },
      { settings: {}, check: expectReplicas({ Ref: "AWS::Region" }) },
    ],
  },
  {
    title:
      "takes the other settings: a domain alone, backups, restored tables, tracing, networks, origins, mail, a monitor, no canary",
    deployment: "third",
    prepared: { restoredTables },
    rounds: [
      {
        settings: {
          alarmEmail: "operator@example.com",
          budget: 500,
          backups: "daily",
          corsOrigins: "https://shop.example.com",
          backupCopies: `arn:aws:backup:${otherRegion}:111122223333:backup-vault:far-away`,
          deploys: "all-at-once",
          domainName: "api.example.com",
          certificateArn: `arn:aws:acm:${region}:${awsAccount}:certificate/${unusedId}`,
          gatewayAddress: "off",
          internalNetworks: "10.0.0.0/8",
          monitor: "on",
          tracing: "on",
        },
        check: expectRestored,
      },
    ],
  },
];

/** Settings that the emulator can't take, and why. */
const notTried: Readonly<Partial<Record<keyof Settings, string>>> = {};

/** @throws naming settings that are neither tried nor listed with a reason, or both */
export function expectEverySetting(): void {
  const tried = new Set(
    settingsToTry.flatMap(({ prepared = {}, rounds }) => [
      "deployment",
      ...[prepared, ...rounds.map(({ settings }) => settings)].flatMap(Object.keys),
    ]),
  );
  const wrong = settingNames.filter((name) => tried.has(name) === name in notTried);
  if (wrong.length > 0)
    throw new Error(
      `Each setting is either tried or not, for a stated reason: see ${wrong.join(", ")} in test/rehearsal/settings.ts.`,
    );
}
