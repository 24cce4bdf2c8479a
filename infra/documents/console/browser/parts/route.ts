/**
 * Where the console is: `#/orders/1001`, `#/orders?status=1&page=2`. What follows `#` stays in the
 * browser, and filters in it make every list a link. Credentials are never part of it.
 */
import { useLayoutEffect, useState } from "preact/hooks";

export interface Route {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** A link to a place. Parameters without a value are left out. */
export function href(path: readonly (string | number)[], query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  return `#/${path.map(encodeURIComponent).join("/")}${parameters.size > 0 ? `?${parameters}` : ""}`;
}

export const go = (path: readonly (string | number)[], query?: Query): void => {
  location.hash = href(path, query);
};

function read(): Route {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = (path || "orders").split("/").map(decoded);
  return { path: parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Unlike `decodeURIComponent`, it takes what is wrongly encoded as it is. */
const decoded = (part: string): string => new URLSearchParams(`part=${part}`).get("part") ?? "";

/** Follows the address. Screens get the route from the console, so that they never differ from its frame. */
export function useAddress(): Route {
  const [route, setRoute] = useState(read);
  // Before the browser paints: a later listener would miss a change in between.
  useLayoutEffect(() => {
    const follow = (): void => setRoute(read());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
