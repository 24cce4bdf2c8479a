/** The steps that clients take. */
import type { Random } from "../schedule/random.ts";
import * as catalog from "./catalog.ts";
import type { History } from "./history.ts";
import * as holds from "./holds.ts";
import * as inbound from "./inbound.ts";
import * as operators from "./operators.ts";
import * as orders from "./orders.ts";
import * as past from "./past-stock.ts";
import * as upgrade from "./upgrade.ts";
import * as warehouse from "./warehouse.ts";

type Step = (history: History, random: Random) => Promise<unknown>;

export const steps = {
  createOrders: orders.create,
  replaceOrders: orders.replace,
  replaceIfVersion: orders.replaceIfVersion,
  renameOrder: orders.rename,
  replaceNamed: orders.replaceNamed,
  cancelOrder: orders.cancel,
  annotateOrder: orders.annotate,
  readOrder: orders.read,
  listOrders: orders.list,
  walkOrders: orders.walk,
  orderIfShort: holds.orderIfShort,
  placeHold: holds.place,
  useHold: holds.use,
  endHold: holds.end,
  tryOrders: holds.tryOrders,
  wait: (history, random) => history.world.scheduler.sleep(random.of([20_000, 31_000, 61_000]), "waits"),
  listEvents: (history, random) => history.send(random, "listEvents", { query: { limit: "5" } }),
  pickAndShip: warehouse.pickAndShip,
  claimSome: warehouse.claimSome,
  revert: warehouse.revert,
  recount: warehouse.recount,
  recountIfSeen: warehouse.recountIfSeen,
  weigh: warehouse.weigh,
  moveGoods: warehouse.move,
  rollUp: warehouse.rollUp,
  poison: catalog.poison,
  listStock: (history, random) => history.send(random, "listStock", {}),
  readPastStock: past.read,
  announceGoods: inbound.announce,
  changeAnnouncement: inbound.change,
  readAnnouncement: inbound.read,
  takeBack: inbound.takeBack,
  putAway: inbound.putAway,
  patchProduct: catalog.patchProduct,
  readProduct: catalog.readProduct,
  listProducts: (history, random) => history.send(random, "listProducts", { query: { per_page: "2" } }),
  createAlias: catalog.createAlias,
  patchAlias: catalog.patchAlias,
  createKit: catalog.createKit,
  patchKit: catalog.patchKit,
  createWebhook: catalog.createWebhook,
  patchWebhook: catalog.patchWebhook,
  patchIfVersion: catalog.patchIfVersion,
  dropMovements: operators.dropPastMovements,
  dropHistory: operators.dropPastHistory,
  rebuild: operators.rebuild,
  erase: operators.erase,
  archive: operators.archive,
  migrate: upgrade.runMigration,
  createProducts: upgrade.createProducts,
  findProducts: (history, random) =>
    history.send(random, "listProducts", { query: { sku: "DEMO-*", per_page: "100" } }),
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof steps;
