/** A block list and the plain array that it is held against. */
import { dayBegins, dayEnds, dayLength, dayOf } from "../../../shared/common/times.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { exists, removalOf, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import type { BlockList } from "../../../shared/store/lists/block-list.ts";
import { listAttributes, recordKey } from "../../../shared/store/lists/block-list.ts";
import { countInsert, countMove, countRemoval } from "../../../shared/store/lists/counters/counters.ts";
import { rollUpOwner } from "../../../shared/store/lists/counters/roll-up.ts";
import { facetKeyAttribute } from "../../../shared/store/lists/facets.ts";
import type { PageRequest } from "../../../shared/store/lists/page-request.ts";
import { pick, whole } from "../http/random.ts";
import { alone } from "./shards.ts";

/** Small blocks, so that a few hundred records lie in many of them. */
export const plainList: BlockList = { table: "orders", name: "test", blockSize: 12 };
export const facetKeys = ["1|1", "1|2", "4|1", "4|2", "9|1", "9|2", "10|1"] as const;
export const owners = ["left", "right"] as const;

/** Every kind of page that can be asked for. */
export const kinds = (["asc", "desc"] as const).flatMap((direction) =>
  (["all", "status", "type", "both"] as const).flatMap((filter) =>
    (["ever", "since", "until", "between"] as const).map((days) => ({ direction, filter, days })),
  ),
);
export type Kind = (typeof kinds)[number];

export interface Listed {
  readonly id: number;
  readonly owner: string;
  readonly day: number;
  facetKey: string;
}

/** The part of a page request that asks for whole days, counted from 1970. No record is read for them. */
export function onDays(first?: number, last?: number): Pick<PageRequest, "created"> {
  const dateOf = (day: number) => new Date(day * dayLength).toISOString().slice(0, 10);
  const createdAt = () => {
    throw new Error("the bounds of days are not searched for");
  };
  const from = first === undefined ? undefined : dateOf(first) + dayBegins;
  return { created: { from, to: last === undefined ? undefined : dateOf(last) + dayEnds, createdAt } };
}

/** What the list is held against: a plain array. */
export function expectedPage(model: readonly Listed[], owner: string, request: PageRequest) {
  const { page, per_page, direction, matches = () => true, created } = request;
  const wanted = model.filter(
    (record) =>
      record.owner === owner &&
      matches(record.facetKey) &&
      (created?.from === undefined || record.day >= dayOf(created.from)) &&
      (created?.to === undefined || record.day <= dayOf(created.to)),
  );
  const ordered = wanted
    .map(({ id }) => id)
    .sort((left, right) => (direction === "asc" ? left - right : right - left));
  return { ids: ordered.slice((page - 1) * per_page, page * per_page), total: wanted.length };
}

/** Allocates ids for records with these facet keys, without storing the records. */
async function allocated(db: Database, owner: string, chosen: readonly string[], clock: number) {
  const { firstId, at } = await allocate(db, plainList, owner, chosen.length, () => clock);
  return chosen.map((facetKey, position) => ({
    id: firstId + position,
    owner,
    day: dayOf(at),
    facetKey,
    at,
  }));
}

type Allocated = Awaited<ReturnType<typeof allocated>>[number];

const insertion = ({ id, owner, facetKey, at }: Allocated): readonly Write[] => [
  {
    kind: "insert",
    table: plainList.table,
    item: { id, ...listAttributes(plainList, id, facetKey, at) },
  },
  alone(countInsert(plainList, owner, id, facetKey)),
];

const listed = ({ at: _, ...record }: Allocated): Listed => record;

export async function append(
  db: Database,
  model: Listed[],
  owner: string,
  chosen: readonly string[],
  clock: number,
) {
  const added = await allocated(db, owner, chosen, clock);
  await transact(db, added.flatMap(insertion));
  model.push(...added.map(listed));
}

/** Records of two writes each that one transaction stores. */
const together = 48;

/** Appends batches of facet keys, each with its time, in as few transactions as possible. */
export async function appendEach(
  db: Database,
  model: Listed[],
  owner: string,
  batches: readonly { readonly chosen: readonly string[]; readonly clock: number }[],
) {
  const added: Allocated[] = [];
  for (const { chosen, clock } of batches) added.push(...(await allocated(db, owner, chosen, clock)));
  for (let start = 0; start < added.length; start += together)
    await transact(db, added.slice(start, start + together).flatMap(insertion));
  model.push(...added.map(listed));
}

export async function move(db: Database, record: Listed, facetKey: string) {
  await transact(db, [
    {
      kind: "change",
      table: plainList.table,
      key: recordKey(plainList, record.id),
      set: { [facetKeyAttribute]: facetKey },
      when: [],
    },
    ...countMove(plainList, record.owner, record.id, record.facetKey, facetKey),
  ]);
  record.facetKey = facetKey;
}

/** Takes a record away; stale where it is gone already. */
export const remove = (db: Database, { id, owner, facetKey }: Listed) =>
  transact(db, [
    removalOf({ table: plainList.table, key: recordKey(plainList, id) }, exists),
    countRemoval(plainList, owner, id, facetKey),
  ]);

export function randomRequest(
  { direction, filter, days }: Kind,
  random: () => number,
  lastDay: number,
): PageRequest {
  const status = pick(random, ["1|", "4|", "9|", "10|"]);
  const type = pick(random, ["|1", "|2"]);
  const filters = {
    all: {},
    status: { matches: (facetKey: string) => facetKey.startsWith(status) },
    type: { matches: (facetKey: string) => facetKey.endsWith(type) },
    both: { matches: (facetKey: string) => facetKey === status + type.slice(1) },
  };
  const from = whole(random, lastDay - 7, lastDay + 1);
  const spans = {
    ever: {},
    since: onDays(from),
    until: onDays(undefined, from),
    between: onDays(from, from + whole(random, 0, 5)),
  };
  const page = whole(random, 1, pick(random, [1, 2, 20]));
  return { page, per_page: whole(random, 1, 40), direction, ...filters[filter], ...spans[days] };
}

/**
 * Rolls up whatever is pending for an owner, into nodes of few branches, so that there are nodes of several
 * levels.
 */
export const rollUpDeep = (db: Database, owner: string) =>
  rollUpOwner({ db, list: plainList, owner }, Number.POSITIVE_INFINITY, {
    branches: 4,
    minShards: 1,
    pauseMs: 0,
  });
