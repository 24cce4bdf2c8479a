/**
 * What spans all features: every kind of stored item with the layouts that a release reads (`kinds.ts`), all
 * lists (`lists.ts`), the lookup items of their records (`lookups.ts`), and the record of each deployment
 * (`record-deployment.ts`). Operator commands and deployments use this folder; functions do not.
 *
 * This file lists every kind of item. An item of any other kind was not stored by this release: `data verify`
 * reports it. The keys of a kind are built in the file that stores it.
 */

import { jobList } from "../../shared/jobs/job-repository.ts";
import { pickedCounts } from "../../shared/orders/storage/picked-orders.ts";
import { serialItems, serialMarks } from "../../shared/serials/serial-repository.ts";
import type { Key } from "../../shared/store/dynamodb/keys.ts";
import { deploymentPartition } from "../../shared/store/layouts/deployment.ts";
import {
  acceptedLayouts,
  isOfKind,
  type Layouts,
  type StoredKind,
} from "../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../shared/store/tables.ts";
import { lists } from "./lists.ts";
import { lookupKinds } from "./lookups.ts";

const ofTable = (
  table: TableName,
  kinds: Readonly<Record<string, string | readonly [partition: string, sort: RegExp]>>,
): readonly StoredKind[] =>
  Object.entries(kinds).map(([name, keys]) => {
    if (typeof keys === "string") return { name, table, partition: keys };
    const [partition, sort] = keys;
    return { name, table, partition, sort };
  });

const identity = ofTable("identity", {
  deployment: deploymentPartition,
  account: "account",
  "bucket of an account's requests": "requests",
  "warehouse user": "user",
  "counter of user ids": "counter",
  "credentials of a user": "credentials",
  "attempts to sign in": "attempts",
  "sign-in that waits for its code": "login",
  session: "session",
  "master key": "master-key",
  "shipping method": "shipping-method",
  store: "store",
  "name of a store": "store-name",
  supplier: "supplier",
  "package type": "package-type",
  "distribution center": "distribution-center",
  location: ["location", /^-$/],
  bin: ["location", /^bin#/],
  "bin among all bins": "bins",
  "what a probe of permissions wrote": "probe",
  "change by an operator": "audit",
});

const shard = /#slot#\d$/;

/** Records of lists. Stock is also stored in shards (`sharded-counter.ts`). */
const records: readonly StoredKind[] = [...lists.values()].flatMap(({ list: { name, table } }) =>
  name === "stock"
    ? [
        { name: "shard of stock", table, partition: name, sort: shard },
        { name, table, partition: name, sort: /^(?!.*#slot#\d$)/ },
      ]
    : [{ name, table, partition: name }],
);

/** The counters of lists, and the allocators of their ids. Jobs have ids, but no pages. */
const counters: readonly StoredKind[] = [
  ...[...lists.keys()].flatMap((name) => [
    ...ofTable("tallies", {
      [`progress of rolling up list ${name}`]: [`${name}s-of`, /^folds$/],
      [`roll-up node of list ${name}`]: [`${name}s-of`, /^node#/],
      [`shard of counts of list ${name}`]: [`${name}s-of`, /^slot#/],
      [`roll-up node below another of list ${name}`]: `${name}-nodes`,
    }),
  ]),
  ...[...lists.values()].flatMap(({ list: { name, isFollower } }) =>
    isFollower === undefined
      ? ofTable("tallies", { [`next id of list ${name}`]: [`${name}s-of`, /^head$/] })
      : [],
  ),
  ...ofTable("tallies", {
    "next id of jobs": [`${jobList.name}s-of`, /^head$/],
    "roll-up node of jobs": [`${jobList.name}s-of`, /^node#/],
    // Blocks of job ids are leased like those of lists, and rolled up with them.
    "progress of rolling up jobs": [`${jobList.name}s-of`, /^folds$/],
    "counter of blocks": "counter",
  }),
];

/** Lookup items. Some lists share a partition prefix. */
const entries: readonly StoredKind[] = [
  ...new Map(
    lookupKinds
      .flatMap(({ partitions }) => partitions)
      .map(({ table, partition }) => [`${table} ${partition}`, { table, partition }] as const),
  ).values(),
].map(({ table, partition }) => ({ name: `lookup by ${partition}`, table, partition }));

/** All kinds, by unique names. No item belongs to two kinds. */
export const storedKinds: readonly StoredKind[] = [
  ...identity,
  ...records,
  ...counters,
  ...entries,
  ...ofTable("orders", {
    "history of an order": "history",
    [`count of ${pickedCounts.kind}`]: pickedCounts.kind,
  }),
  ...ofTable("inventory", { movement: "movement" }),
  ...ofTable("directory", {
    serial: serialItems.kind,
    "batch of serials": "serial-batch",
    "mark of a product with serials": serialMarks.kind,
  }),
  ...ofTable("jobs", {
    job: jobList.name,
    hold: "hold",
    "call with an Idempotency-Key": "idempotency",
    "progress of a saga": ["steps", /^progress$/],
    "plan of a saga": ["steps", /^plan$/],
  }),
  ...ofTable("events", {
    "end of a feed": "feed-head",
    "events of a feed": "feed",
    "events of a subject": "feed-subject",
    "published stock level": "published-level",
    "record with changes that are set aside": "set-aside",
    "change that is set aside": "set-aside-change",
  }),
  ...ofTable("webhooks", {
    webhook: "webhook",
    "progress of a webhook": "webhook-progress",
    "next id of webhooks": "webhook-ids",
    "count of an account's webhooks": "webhook-count",
    delivery: "webhook-deliveries",
    "delivery that waits": "webhook-waiting",
  }),
  ...ofTable("secrets", { "secret of a webhook": "webhook" }),
];

/** The sort key distinguishes kinds that share a partition prefix. */
const byPartition = Map.groupBy(storedKinds, ({ table, partition }) => `${table} ${partition}`);

/** The kind of an item; undefined if this release does not store such items. */
export const kindOf = (table: TableName, key: Key): StoredKind | undefined =>
  byPartition.get(`${table} ${partitionOf(key)}`)?.find((kind) => isOfKind(kind, table, key));

/** The part of a partition key that the items of a kind share. */
export const partitionOf = ({ pk }: Pick<Key, "pk">): string => pk.split("#", 1)[0] ?? pk;

export const isReadable = (layouts: Layouts, table: TableName, key: Key, layout: unknown): boolean =>
  acceptedLayouts(layouts, table, key).some((accepted) => accepted === layout);
