/**
 * The console's address: `#/orders/1001`, `#/orders?status=1&page=2`. The part after `#` stays in the
 * browser, and contains filters, so that every list can be linked. It never contains credentials.
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

/** Unlike `decodeURIComponent`, it accepts invalid encoding, and leaves it unchanged. */
const decoded = (part: string): string => new URLSearchParams(`part=${part}`).get("part") ?? "";

/** Follows the address. Screens get the route from the console, so that they always match its frame. */
export function useAddress(): Route {
  const [route, setRoute] = useState(read);
  // Before the browser paints: a later listener could miss a change.
  useLayoutEffect(() => {
    const follow = (): void => setRoute(read());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
