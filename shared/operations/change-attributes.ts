import { findAttributes, removeAttribute, saveValue } from "../data/attributes.ts";
import type { Attribute, AttributeInput, AttributeOwner } from "../domain/attribute.ts";
import { laterOf } from "../domain/days.ts";
import { type FieldError, invalidAt, notFound } from "../domain/problem.ts";
import { repeats } from "../domain/repeats.ts";
import type { Outcome } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";
import { transact, untilFresh } from "../store/transact.ts";
import type { Context } from "./context.ts";
import { patchEach } from "./patch-each.ts";

const namesOf = (inputs: readonly AttributeInput[]): readonly string[] =>
  inputs.map(({ attribute }) => attribute);

const repeatedNames = (inputs: readonly AttributeInput[]): readonly FieldError[] =>
  repeats(namesOf(inputs), (position) => `data.${position}.attribute`);

/**
 * The attributes that a call gives to an owner, once they are checked.
 * @throws Problem `invalid` where the owner already has an attribute of a name, or the call repeats a name
 */
export async function checkNewAttributes(
  db: Database,
  owner: AttributeOwner,
  inputs: readonly AttributeInput[],
): Promise<readonly AttributeInput[]> {
  const existing = await findAttributes(db, owner, namesOf(inputs));
  const taken = inputs.flatMap(({ attribute }, position) =>
    existing.has(attribute)
      ? [{ path: `data.${position}.attribute`, message: `already exists (${attribute})` }]
      : [],
  );
  const errors = [...taken, ...repeatedNames(inputs)];
  if (errors.length > 0) throw invalidAt(errors);
  return inputs;
}

/**
 * Changes the values of an owner's attributes, found by name.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any name is unknown or repeated
 */
export const patchAttributes = (
  { db, now }: Pick<Context, "db" | "now">,
  owner: AttributeOwner,
  inputs: readonly AttributeInput[],
): Promise<readonly Outcome<Attribute>[]> =>
  patchEach({ db }, inputs, {
    title: "attribute",
    nameOf: ({ attribute }) => ({ field: "attribute", value: attribute, words: `attribute ${attribute}` }),
    repeated: repeatedNames(inputs),
    read: async (sent) => {
      const found = await findAttributes(db, owner, namesOf(sent));
      return { references: undefined, find: ({ attribute }) => found.get(attribute) };
    },
    plan: (found) =>
      found.map(({ before, sent: { value } }) => {
        const after = { ...before, value, updated_at: laterOf(now, before.updated_at) };
        return { result: after, writes: [saveValue(after)] };
      }),
  });

/**
 * Deletes the owner's attribute of this name, and answers the deleted attribute.
 * @throws Problem `not_found`
 */
export const deleteAttribute = (db: Database, owner: AttributeOwner, name: string): Promise<Attribute> =>
  untilFresh(async () => {
    const found = (await findAttributes(db, owner, [name])).get(name);
    if (found === undefined) throw notFound(`There is no attribute ${name}`);
    await transact(db, removeAttribute(found));
    return found;
  });
