/**
 * What functions may do with which items. The stacks make the policies of the functions' roles of it, and
 * nothing else: what a function does not state, IAM refuses it (docs/decisions.md, Secrets apart).
 */
import { type TableName, tableNames, tableSchemas } from "./tables.ts";

/** What can be done with items. They are the kinds of writes (`writes.ts`), and reading. */
export const verbs = ["read", "insert", "change", "remove"] as const;
export type Verb = (typeof verbs)[number];

/** `write` stands for all verbs. */
export type Grant = Verb | "write" | readonly Verb[];

/**
 * Grants by kinds of items. A kind that ends in `#` stands for all partition keys that begin so (`user#`);
 * any other kind is a partition key (`master-key`).
 */
export type Kinds = Readonly<Record<string, Grant>>;

/** An index by its table: `orders/work`. Whoever may read a table may not thereby read its indexes. */
type IndexPlace = `${TableName}/${string}`;

/**
 * The tables and indexes that a function uses, and how: all items with a grant, else the kinds that are
 * stated. No kinds can be stated of an index: AWS does not document what `dynamodb:LeadingKeys` holds for a
 * query of an index.
 */
export type Access = Readonly<Partial<Record<TableName | IndexPlace, Grant | Kinds>>>;

/** Stands for all items among kinds. */
export const everyKind = "";

/** What may be done at one place, by kinds. What `everyKind` may is not repeated at the other kinds. */
export interface Permit {
  readonly table: TableName;
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly kinds: ReadonlyMap<string, readonly Verb[]>;
}

const verbsOf = (grant: Grant): readonly Verb[] => {
  if (grant === "write") return verbs;
  return typeof grant === "string" ? [grant] : grant;
};

const isKinds = (stated: Grant | Kinds): stated is Kinds =>
  typeof stated === "object" && !Array.isArray(stated);

const kindsOf = (stated: Grant | Kinds): Kinds => (isKinds(stated) ? stated : { [everyKind]: stated });

const union = (...lists: readonly (readonly Verb[])[]): readonly Verb[] =>
  verbs.filter((verb) => lists.some((list) => list.includes(verb)));

/** One access that allows what any of several does. */
export function together(...accesses: readonly Access[]): Access {
  const places = new Map<string, Map<string, readonly Verb[]>>();
  for (const access of accesses) {
    for (const [place, stated] of Object.entries(access)) {
      if (stated === undefined) continue;
      const kinds = places.get(place) ?? new Map<string, readonly Verb[]>();
      for (const [kind, grant] of Object.entries(kindsOf(stated)))
        kinds.set(kind, union(kinds.get(kind) ?? [], verbsOf(grant)));
      places.set(place, kinds);
    }
  }
  return Object.fromEntries([...places].map(([place, kinds]) => [place, Object.fromEntries(kinds)]));
}

/**
 * What it takes to give out ids, and to count the records that have them. Lists read these counts; folding
 * removes some.
 */
export const counting: Grant = ["insert", "change"];

/** What sagas store and read besides the records themselves: see `sagas/saga.ts`. */
const steps: Access = { jobs: { "steps#": "write", "idempotency#": "change", "job#": ["insert", "change"] } };

/**
 * What a function may reach that has this access. Who writes the records of lists, also changes what counts
 * and finds them, stores large ones in steps, and finishes the steps that others left behind.
 */
export const withLists = (access: Access): Access =>
  access.orders === "write" || access.inventory === "write"
    ? together(access, { tallies: counting, directory: "write" }, steps)
    : access;

const places = tableNames.flatMap((table) => [
  { table, index: undefined, place: table },
  ...Object.keys(tableSchemas[table].indexes).map(
    (index) => ({ table, index, place: `${table}/${index}` }) as const,
  ),
]);

const known: ReadonlySet<string> = new Set(places.map(({ place }) => place));

/**
 * What an access allows, place by place. @throws if it names an unknown table or index, or kinds of items of
 * an index
 */
export function permitsOf(access: Access): readonly Permit[] {
  const unknown = Object.keys(access).find((place) => !known.has(place));
  if (unknown !== undefined) throw new Error(`there is no table or index ${unknown}`);
  return places.flatMap(({ table, index, place }) => {
    const stated = access[place];
    if (stated === undefined) return [];
    const kinds = sparse(kindsOf(stated));
    if (index !== undefined && [...kinds.keys()].some((kind) => kind !== everyKind))
      throw new Error(`the index ${place} can only be granted as a whole, not by kinds of items`);
    return [{ table, index, kinds }];
  });
}

function sparse(kinds: Kinds): ReadonlyMap<string, readonly Verb[]> {
  const everywhere = verbsOf(kinds[everyKind] ?? []);
  const rest = Object.entries(kinds).map(([kind, grant]): [string, readonly Verb[]] => [
    kind,
    kind === everyKind ? everywhere : verbsOf(grant).filter((verb) => !everywhere.includes(verb)),
  ]);
  return new Map(rest.filter(([, some]) => some.length > 0));
}

/** Whether an access allows to change anything. */
export const writesSomething = (access: Access): boolean =>
  Object.values(access)
    .flatMap((stated) => (stated === undefined ? [] : Object.values(kindsOf(stated))))
    .some((grant) => verbsOf(grant).some((verb) => verb !== "read"));

/** The tables that an access concerns, in the order of their names' list. */
export const tablesIn = (access: Access): readonly TableName[] => [
  ...new Set(permitsOf(access).map(({ table }) => table)),
];
