/** What operators register and records refer to, and what is said of a reference that names nothing of it. */

/** A registry, and what a reference to it states: a code, a name or an id. */
export type Registry =
  | "shipping_method"
  | "store_id"
  | "store_name"
  | "supplier"
  | "package_type"
  | "distribution_center"
  | "location";

/** All that a registry holds, in the words in which it is referred to. Empty for a registry of which nothing is unknown. */
export type Accepted = (registry: Registry) => readonly string[];

/** Most values that an error lists (docs/decisions.md, Unknown references). */
const maxListed = 20;

/** The end of an error about an unknown value: the values that there are. `lead` begins it: `it has`. */
export function listed(lead: string, values: readonly string[]): string {
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : "";
  return `; ${lead} ${values.slice(0, maxListed).join(", ") || "none"}${more}`;
}

/** What an entry of a registry is called, and how the list of its entries begins. */
const words: Readonly<Record<Registry, readonly [noun: string, lead: string]>> = {
  shipping_method: ["a shipping method of the account", "it has"],
  store_id: ["a store of the account", "it has"],
  store_name: ["a store of the account", "it has"],
  supplier: ["a registered supplier", "registered are"],
  package_type: ["a registered package type", "registered are"],
  distribution_center: ["a registered distribution center", "registered are"],
  location: ["a known location", "known are"],
};

/** The message of an error about a reference that names nothing; it lists what could be named. */
export function unregistered(registry: Registry, value: string | number, accepted: Accepted): string {
  const [noun, lead] = words[registry];
  return `is not ${noun} (${value})${listed(lead, accepted(registry))}`;
}
