/** A schedule: which clients take which steps, which faults there are, and by which seed calls take turns. */

import type { Prepared } from "../prepared.ts";
import { type Faults, faultsOf } from "../schedule/faults.ts";
import { Random } from "../schedule/random.ts";
import { beginning } from "../schedule/virtual.ts";
import type { World } from "../world/world.ts";
import { History } from "./history.ts";
import { type StepName, steps } from "./steps.ts";
import { beforeUpgrade } from "./upgrade.ts";

interface PlannedStep {
  readonly name: StepName;
  /** What the step draws its choices by. */
  readonly seed: number;
}

export interface Plan {
  /** The seed that the plan was drawn by. */
  readonly seed: number;
  readonly clients: readonly (readonly PlannedStep[])[];
  readonly faults: Faults;
  /** The place of the order that clients prefer: the first is pending, the second is being picked. */
  readonly hot: number;
  /** How likely a client that gets no answer sends its call again. */
  readonly patience: number;
  /** The items that a transaction holds. */
  readonly transactions: number;
  /** Whether the data are those of the previous release. */
  readonly upgrades: boolean;
  /** Whether runs of the publisher are taken for lost, and go on beside another. */
  readonly losesRuns: boolean;
  /** Whether movements get running totals, by which past stock is read. */
  readonly totals: boolean;
  /** The seed of all turns and faults. */
  readonly turns: number;
}

/** What the clients of a schedule do: steps that meet, rather than all there are. */
interface Profile {
  readonly steps: readonly StepName[];
  /** The items that its transactions hold, if fewer than usual: larger records are stored by sagas. */
  readonly transactions?: readonly number[];
  /** Whether the data are those of the previous release. */
  readonly upgrades?: true;
  /** Whether runs of the publisher are taken for lost, and go on beside another. */
  readonly losesRuns?: true;
  /** Whether movements get running totals, by which past stock is read. */
  readonly totals?: true;
}

const ordering = ["createOrders", "replaceOrders", "cancelOrder", "annotateOrder", "readOrder"] as const;

/** Seeds take these in turn, and after them one of `rarer`. */
const profiles: readonly Profile[] = [
  { steps: [...ordering, "replaceIfVersion", "listOrders", "walkOrders"] },
  { steps: [...ordering, "replaceOrders", "pickAndShip", "revert", "listStock"], transactions: [5, 5, 6] },
  {
    steps: ["replaceOrders", "replaceOrders", "cancelOrder", "annotateOrder", "readOrder"],
    transactions: [5],
  },
  { steps: ["replaceOrders", "createOrders"], transactions: [5] },
  { steps: ["recount", "recountIfSeen", "moveGoods", "pickAndShip", "revert", "putAway"] },
  {
    steps: [
      ...["createOrders", "cancelOrder", "pickAndShip", "rollUp", "walkOrders", "placeHold"],
      ...["readPastStock", "readPastStock", "readPastStock"],
    ] as const,
    totals: true,
  },
  { steps: ["createOrders", "cancelOrder", "rollUp"] },
  { steps: ["recount", "moveGoods"] },
  { steps: ["recount", "patchProduct", "annotateOrder"] },
  { steps: ["createWebhook", "patchWebhook", "listEvents", "patchProduct", "recount", ...ordering] },
  { steps: ["replaceIfVersion", "replaceOrders", "patchIfVersion", "patchProduct", "annotateOrder"] },
  { steps: ["placeHold", "useHold", "endHold", "orderIfShort", "tryOrders", "cancelOrder", "listStock"] },
  { steps: [...ordering, "pickAndShip", "claimSome", "revert", "weigh", "listOrders"] },
  { steps: ["announceGoods", "changeAnnouncement", "readAnnouncement", "putAway", "takeBack", "recount"] },
  {
    steps: [
      ...["patchProduct", "createAlias", "patchAlias", "createKit", "patchKit", "createOrders"],
      ...["readProduct", "listProducts"],
    ] as const,
  },
  { steps: ["recount", "recountIfSeen"], transactions: [100, 100, 8] },
  { steps: ["migrate", "createProducts", "findProducts", "patchProduct"], upgrades: true },
  { steps: ["createWebhook", "poison", "patchProduct", "patchAlias", "createOrders", "listEvents"] },
];

/** Steps that need a schedule of their own kind. */
const special: ReadonlySet<string> = new Set<StepName>(["poison", "readPastStock"]);

/** Calls that seldom meet if others are between them; and all of them. These take turns, too. */
const rarer: readonly Profile[] = [
  { steps: Object.keys(steps).filter((name): name is StepName => name in steps && !special.has(name)) },
  { steps: ["orderIfShort"] },
  { steps: ["placeHold", "useHold", "useHold"] },
  { steps: ["pickAndShip", "revert"] },
  { steps: ["pickAndShip", "moveGoods"] },
  { steps: ["createOrders", "cancelOrder", "rollUp", "walkOrders", "listOrders"] },
  { steps: ["patchProduct", "annotateOrder", "recount"], losesRuns: true },
  { steps: ["renameOrder", "replaceNamed", "replaceNamed"] },
  { steps: ["placeHold", "orderIfShort", "wait"] },
  {
    steps: ["dropMovements", "dropHistory", "rebuild", "pickAndShip", "replaceOrders", "recount", "putAway"],
  },
  { steps: ["erase", "archive", "pickAndShip", "cancelOrder", "annotateOrder", "createWebhook", "takeBack"] },
];

function profileOf(seed: number, random: Random): Profile {
  const places = profiles.length + 1;
  const round = Math.floor(seed / places);
  return profiles[seed % places] ?? rarer[round % rarer.length] ?? random.of(rarer);
}

export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const { steps: all, transactions = [100], ...profile } = profileOf(seed, random);
  const { upgrades = false, losesRuns = false, totals = false } = profile;
  const some = Array.from({ length: 2 + random.below(3) }, () => random.of(all));
  const step = (): PlannedStep => ({ name: random.of(some), seed: random.below(2 ** 31) });
  const clients = Array.from({ length: 2 + random.below(3) }, () =>
    Array.from({ length: 1 + random.below(3) }, step),
  );
  return {
    ...{ seed, clients, upgrades, losesRuns, totals, turns: seed },
    faults: faultsOf(random),
    patience: random.of([0.9, 0.5, 0.1]),
    hot: random.of([0, 0, 0, 1]),
    transactions: random.of(transactions),
  };
}

/** Begins the clients of a plan in a world. */
export function beginClients(plan: Plan, world: World, start: Prepared) {
  if (plan.upgrades) beforeUpgrade(world.store);
  const history = new History(world, start, plan);
  const clients = plan.clients.map((own, position) =>
    world.scheduler.begin(`client ${position + 1}`, async () => {
      for (const { name, seed } of own) {
        const random = new Random(seed);
        await steps[name](history, random);
        if (random.happens(0.07)) world.scheduler.leap(random.of([1_000, 40_000, 120_000]));
      }
    }),
  );
  return { history, clients };
}

/** The options of a plan's world. */
export const optionsOf = ({ faults, losesRuns, totals }: Plan) => ({
  now: beginning,
  faults,
  losesRuns,
  totals,
});
