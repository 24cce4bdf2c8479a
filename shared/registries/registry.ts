/** Errors of references to unknown registry entries (docs/decisions.md, Unknown references). */

import { isPresent } from "../common/fields.ts";
import type { FieldError } from "../common/problem.ts";

/** A registry, and whether a reference to it states a code, a name or an id. */
export type Registry =
  | "shipping_method"
  | "store_id"
  | "store_name"
  | "supplier"
  | "package_type"
  | "distribution_center"
  | "location";

/** The values that a registry accepts. Empty for a registry without unknown references. */
export type Accepted = (registry: Registry) => readonly string[];

/** The entries that the references of a call name. */
export interface Registered {
  readonly has: (registry: Registry, value: string | number) => boolean;
  readonly accepted: Accepted;
}

/** Maximum values that an error lists (docs/decisions.md, Unknown references). */
const maxListed = 20;

/** The end of an error about an unknown value: the existing values, after `lead` (`it has`). */
export function listValues(lead: string, values: readonly string[]): string {
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : "";
  return `; ${lead} ${values.slice(0, maxListed).join(", ") || "none"}${more}`;
}

/** The noun for an entry of each registry, and the lead of the list of its entries. */
const words: Readonly<Record<Registry, readonly [noun: string, lead: string]>> = {
  shipping_method: ["a shipping method of the account", "it has"],
  store_id: ["a store of the account", "it has"],
  store_name: ["a store of the account", "it has"],
  supplier: ["a registered supplier", "registered are"],
  package_type: ["a registered package type", "registered are"],
  distribution_center: ["a registered distribution center", "registered are"],
  location: ["a known location", "known are"],
};

/** The error of an unknown reference at `path`. It lists the accepted values. */
export function unregisteredError(
  registry: Registry,
  value: string | number,
  accepted: Accepted,
  path: string,
): FieldError {
  const [noun, lead] = words[registry];
  const message = `is not ${noun} (${value})${listValues(lead, accepted(registry))}`;
  return { path, message, code: "unknown_reference" };
}

/** The error of a reference at `path` that names no entry; none if it names one, or if nothing was sent. */
export const registryErrors = (
  registry: Registry,
  value: string | number | null | undefined,
  { has, accepted }: Registered,
  path: string,
): readonly FieldError[] =>
  isPresent(value) && !has(registry, value) ? [unregisteredError(registry, value, accepted, path)] : [];
