export type Json = string | number | boolean | null | Json[] | { readonly [name: string]: Json | undefined };

/** What lies at a path of property names, if anything. */
export const at = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner[name] : undefined,
    value,
  );

/** CloudFormation writes a list of one as its only element. */
export const list = (value: Json | undefined): Json[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

/** The properties of an object; of anything else, none. */
export const members = (value: Json | undefined): [string, Json | undefined][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

export const namesIn = (value: Json | undefined): string[] => members(value).map(([name]) => name);
