/**
 * What functions may do with which items. The stacks derive the policies of the functions' roles from it: IAM
 * denies what a function does not state (docs/decisions.md, Secrets apart).
 */
import type { TableName } from "./tables.ts";

/** Reading, and the kinds of writes (`writes.ts`). */
export const verbs = ["read", "insert", "change", "remove"] as const;
export type Verb = (typeof verbs)[number];

/** `write` stands for all verbs. */
export type Grant = Verb | "write" | readonly Verb[];

/** Grants by kinds: prefixes of partition keys, which end in `#` (`user#`), and keys (`master-key`). */
export type Kinds = Readonly<Record<string, Grant>>;

/** An index by its table: `orders/work`. Reading a table does not include reading its indexes. */
type IndexPlace = `${TableName}/${string}`;

/**
 * The tables and indexes that a function uses, with a grant for all items or grants by kinds. Indexes are
 * granted as a whole: AWS does not document what `dynamodb:LeadingKeys` contains for a query of an index.
 */
export type Access = Readonly<Partial<Record<TableName | IndexPlace, Grant | Kinds>>>;

/** The tables that hold records of lists. */
export type RecordTable = "orders" | "inventory";

/**
 * What a contract states. `write-records` stands for `write` and everything else that writing records of
 * lists takes: counting and indexing them, storing large ones by sagas, and resuming any saga that locks an
 * item of the flow, whatever it stores. `infra/access.ts` lists it. A flow whose items no saga locks states
 * verbs.
 */
export type StatedAccess = Omit<Access, RecordTable> & {
  readonly [T in RecordTable]?: Grant | Kinds | "write-records";
};

/** The kind that stands for all items. */
export const everyKind = "";

export const verbsOf = (grant: Grant): readonly Verb[] => {
  if (grant === "write") return verbs;
  return typeof grant === "string" ? [grant] : grant;
};

const isKinds = (stated: Grant | Kinds): stated is Kinds =>
  typeof stated === "object" && !Array.isArray(stated);

export const kindsOf = (stated: Grant | Kinds): Kinds => (isKinds(stated) ? stated : { [everyKind]: stated });

const union = (...lists: readonly (readonly Verb[])[]): readonly Verb[] =>
  verbs.filter((verb) => lists.some((list) => list.includes(verb)));

/** Combines accesses: the result allows what any of them allows. */
export function mergeAccess(...accesses: readonly Access[]): Access {
  const resources = new Map<string, Map<string, readonly Verb[]>>();
  for (const access of accesses) {
    for (const [resource, stated] of Object.entries(access)) {
      if (stated === undefined) continue;
      const kinds = resources.get(resource) ?? new Map<string, readonly Verb[]>();
      for (const [kind, grant] of Object.entries(kindsOf(stated)))
        kinds.set(kind, union(kinds.get(kind) ?? [], verbsOf(grant)));
      resources.set(resource, kinds);
    }
  }
  return Object.fromEntries([...resources].map(([resource, kinds]) => [resource, Object.fromEntries(kinds)]));
}

/** Whether a contract states `write-records`: the flow may store whatever a saga stores. */
export const writesRecords = (stated: StatedAccess): boolean =>
  Object.values(stated).includes("write-records");

/** What a contract states, with `write` in place of `write-records`. */
export const plainAccess = (stated: StatedAccess): Access =>
  Object.fromEntries(
    Object.entries(stated).map(([place, grant]) => [place, grant === "write-records" ? "write" : grant]),
  );

export const writesSomething = (stated: StatedAccess): boolean =>
  Object.values(plainAccess(stated))
    .flatMap((stated) => (stated === undefined ? [] : Object.values(kindsOf(stated))))
    .some((grant) => verbsOf(grant).some((verb) => verb !== "read"));
