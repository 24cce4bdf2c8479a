/** A schedule: which clients take which steps, which faults there are, and by which seed calls take turns. */

import type { Prepared } from "../prepared.ts";
import { type Faults, faultsOf } from "../schedule/faults.ts";
import { Random } from "../schedule/random.ts";
import { beginning } from "../schedule/virtual.ts";
import type { World } from "../world/world.ts";
import { History } from "./history.ts";
import { type StepName, steps } from "./steps.ts";

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
  /** The seed of all turns and faults. */
  readonly turns: number;
}

/** Steps about orders of the large kit. */
const large: ReadonlySet<string> = new Set<StepName>(["createLarge", "replaceByLarge"]);

export const needsLargeKit = ({ clients }: Plan): boolean =>
  clients.some((own) => own.some(({ name }) => large.has(name)));

/** Holds and orders that are refused if short, without calls that may sell more than there is. */
const firm: readonly StepName[] = [
  "placeHold",
  "placeHold",
  "useHold",
  "useHold",
  "endHold",
  "orderIfShort",
  "orderIfShort",
  "tryOrders",
  "cancelOrder",
  "listStock",
];

const counting: readonly StepName[] = [
  "recountIfSeen",
  "recountIfSeen",
  "recount",
  "moveGoods",
  "pickAndShip",
];

/** Mixes that every so many seeds have, so that all other seeds stay what they were. */
const apart: readonly (readonly StepName[])[] = [firm, counting];
const apartEvery = 6;
const mixedApart: ReadonlySet<string> = new Set<StepName>([
  ...(["placeHold", "useHold", "endHold", "orderIfShort", "tryOrders", "recountIfSeen"] as const),
]);

/** What clients of one schedule do: steps that meet, rather than all there are. */
const mixes: readonly (readonly StepName[])[] = [
  [
    "createOrders",
    "createOrders",
    "replaceOrders",
    "replaceOrders",
    "replaceIfVersion",
    "cancelOrder",
    "annotateOrder",
    "readOrder",
    "listOrders",
    "walkOrders",
  ],
  [
    "replaceOrders",
    "cancelOrder",
    "pickAndShip",
    "pickAndShip",
    "claimSome",
    "revert",
    "weigh",
    "createOrders",
    "listOrders",
  ],
  ["recount", "recount", "moveGoods", "pickAndShip", "createOrders", "revert", "listStock"],
  ["announceGoods", "changeAnnouncement", "readAnnouncement", "putAway", "putAway", "takeBack", "recount"],
  [
    "patchProduct",
    "patchProduct",
    "readProduct",
    "createAlias",
    "patchAlias",
    "createKit",
    "patchKit",
    "createOrders",
    "listProducts",
  ],
  [
    "createLarge",
    "replaceByLarge",
    "replaceOrders",
    "cancelOrder",
    "annotateOrder",
    "readOrder",
    "walkOrders",
  ],
  ["createOrders", "createOrders", "replaceOrders", "annotateOrder", "rollUp", "walkOrders", "listOrders"],
  ["createWebhook", "poison", "patchProduct", "patchAlias", "createOrders", "listEvents"],
  ["createWebhook", "patchWebhook", "createOrders", "annotateOrder", "replaceOrders", "listEvents"],
  Object.keys(steps).filter(
    (name): name is StepName =>
      name in steps && !large.has(name) && !mixedApart.has(name) && name !== "poison",
  ),
];

export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const usual = random.of(mixes);
  const mix = seed % apartEvery === 0 ? (apart[(seed / apartEvery) % apart.length] ?? usual) : usual;
  const step = (): PlannedStep => ({ name: random.of(mix), seed: random.below(2 ** 31) });
  const clients = Array.from({ length: 2 + random.below(3) }, () =>
    Array.from({ length: 1 + random.below(3) }, step),
  );
  return { seed, clients, faults: faultsOf(random), turns: seed };
}

/** Begins the clients of a plan in a world. */
export function beginClients(plan: Plan, world: World, start: Prepared) {
  const history = new History(world, start, plan.seed);
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
export const optionsOf = ({ faults }: Plan) => ({ now: beginning, faults });
