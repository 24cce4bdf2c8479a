/** What an access allows, by table and index: the stacks grant it, and tests compare it with what is used. */
import { type Access, everyKind, type Kinds, kindsOf, type Verb, verbsOf } from "./access.ts";
import { type TableName, tableNames, tableSchemas } from "./tables.ts";

/** What is allowed on one table or index, by kinds. The other kinds do not repeat what `everyKind` allows. */
export interface Permit {
  readonly table: TableName;
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly kinds: ReadonlyMap<string, readonly Verb[]>;
}

const resources = tableNames.flatMap((table) => [
  { table, index: undefined, resource: table },
  ...Object.keys(tableSchemas[table].indexes).map(
    (index) => ({ table, index, resource: `${table}/${index}` }) as const,
  ),
]);

const known: ReadonlySet<string> = new Set(resources.map(({ resource }) => resource));

/** What an access allows. @throws if a table or index is unknown, or an index granted by kinds */
export function permitsOf(access: Access): readonly Permit[] {
  const unknown = Object.keys(access).find((resource) => !known.has(resource));
  if (unknown !== undefined) throw new Error(`there is no table or index ${unknown}`);
  return resources.flatMap(({ table, index, resource }) => {
    const stated = access[resource];
    if (stated === undefined) return [];
    const kinds = sparse(kindsOf(stated));
    if (index !== undefined && [...kinds.keys()].some((kind) => kind !== everyKind))
      throw new Error(`the index ${resource} can only be granted as a whole, not by kinds of items`);
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

export const tablesIn = (access: Access): readonly TableName[] => [
  ...new Set(permitsOf(access).map(({ table }) => table)),
];
