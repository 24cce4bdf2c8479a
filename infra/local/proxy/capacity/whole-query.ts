import { isObject } from "../../json.ts";
import type { Item } from "./item-size.ts";

/** What a query evaluated, or the query that reads it. */
type WholeQuery = { readonly items: readonly Item[] } | { readonly input: Item };

/**
 * Everything that a query or scan evaluated, which is what AWS charges, including filtered-out items and
 * attributes that were not requested. An answer that may be incomplete must be requested again, without
 * filter and projection.
 */
export const wholeQuery = (input: Item, answer: unknown): WholeQuery => {
  const { Items, ScannedCount } = isObject(answer) ? answer : {};
  if (ScannedCount === 0) return { items: [] };
  const isWhole = !reducing.some((name) => name in input);
  if (isWhole) return { items: Array.isArray(Items) ? Items.filter(isObject) : [] };
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !replaced.has(name)));
  const used = new Set(String(input["KeyConditionExpression"] ?? "").match(/[#:]\w+/g));
  return {
    input: {
      ...rest,
      ...usedOf("ExpressionAttributeNames", input, used),
      ...usedOf("ExpressionAttributeValues", input, used),
      Limit: ScannedCount,
    },
  };
};

const reducing = ["Select", "FilterExpression", "ProjectionExpression"] as const;

const replaced: ReadonlySet<string> = new Set([
  ...reducing,
  "ExpressionAttributeNames",
  "ExpressionAttributeValues",
]);

/** The placeholders that are still used. DynamoDB rejects unused ones, and an empty object of them. */
const usedOf = (field: string, input: Item, used: ReadonlySet<string>): Item => {
  const given = input[field];
  const kept = Object.entries(isObject(given) ? given : {}).filter(([name]) => used.has(name));
  return kept.length === 0 ? {} : { [field]: Object.fromEntries(kept) };
};
