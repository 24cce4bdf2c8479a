import type { Access } from "../../../shared/store/access.ts";
import { everyKind, type Verb } from "../../../shared/store/access.ts";
import { type Permit, permitsOf } from "../../../shared/store/permits.ts";
import { type Assembly, nameOf } from "./assembly.ts";
import { tableOf } from "./deployed.ts";

const actionsOf: Readonly<Record<Verb, readonly string[]>> = {
  read: ["GetItem", "BatchGetItem", "Query"],
  insert: ["PutItem"],
  change: ["UpdateItem"],
  remove: ["DeleteItem"],
};

/** The condition under which a permit allows a verb, as policies have it. */
function conditionOf({ kinds }: Permit, verb: Verb): string {
  const concerned = [...kinds].flatMap(([kind, verbs]) => (verbs.includes(verb) ? [kind] : []));
  const patterns = concerned.map((kind) => (kind.endsWith("#") ? `${kind}*` : kind));
  const conditions = {
    ...(concerned.includes(everyKind)
      ? {}
      : {
          "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
          Null: { "dynamodb:LeadingKeys": "false" },
        }),
    // Who may neither read nor change gets no answer that shows an item.
    ...([...kinds.values()].some((verbs) => verbs.includes("read") || verbs.includes("change"))
      ? {}
      : { StringEqualsIfExists: { "dynamodb:ReturnValues": "NONE" } }),
  };
  return Object.keys(conditions).length > 0 ? ` if ${JSON.stringify(conditions)}` : "";
}

/** What a function's role may do with tables and their indexes, by its access. */
export const onTables = (assembly: Assembly, access: Access): readonly string[] =>
  permitsOf(access).flatMap((permit) => {
    const { table, index, kinds } = permit;
    const arn = `${nameOf(tableOf(assembly, table))}.Arn${index === undefined ? "" : `/index/${index}`}`;
    const verbs = [...new Set([...kinds.values()].flat())];
    return verbs.flatMap((verb) =>
      (index === undefined ? actionsOf[verb] : ["Query"]).map(
        (action) => `dynamodb:${action} on ${arn}${conditionOf(permit, verb)}`,
      ),
    );
  });
