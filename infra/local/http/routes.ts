/** A route's key and its target. */
export interface Route<Target> {
  readonly key: string;
  readonly target: Target;
}

/** The route of a request, and the values of the parameters in its path. */
export interface Match<Target> extends Route<Target> {
  readonly parameters: Readonly<Record<string, string>>;
}

interface Pattern<Target> {
  readonly route: Route<Target>;
  readonly method: string;
  readonly segments: readonly string[];
}

const fallbackKey = "$default";

/**
 * Finds the route of a request as API Gateway does. Fixed segments take precedence over parameters. A request
 * goes to `$default` if no route matches path and method.
 */
export class Router<Target> {
  readonly #patterns: readonly Pattern<Target>[];
  readonly #fallback: Route<Target> | undefined;

  constructor(routes: readonly Route<Target>[]) {
    this.#fallback = routes.find(({ key }) => key === fallbackKey);
    this.#patterns = routes
      .filter(({ key }) => key !== fallbackKey)
      .map((route) => {
        const [method = "", path = ""] = route.key.split(" ");
        return { route, method, segments: split(path) };
      })
      .sort((a, b) => rank(a).localeCompare(rank(b)));
  }

  /** @param path the decoded path: API Gateway decodes before it matches, so `%2F` separates segments */
  match(method: string, path: string): Match<Target> | undefined {
    const segments = split(path);
    for (const pattern of this.#patterns) {
      if (pattern.method !== method) continue;
      const parameters = matchSegments(pattern.segments, segments);
      if (parameters !== undefined) return { ...pattern.route, parameters };
    }
    return this.#fallback && { ...this.#fallback, parameters: {} };
  }
}

const split = (path: string): string[] => path.split("/").slice(1);

const isParameter = (segment: string): boolean => segment.startsWith("{");

/** Sorts patterns so that the first match is the most specific one. */
const rank = ({ segments }: Pattern<unknown>): string =>
  segments.map((segment) => (isParameter(segment) ? 1 : 0)).join("");

const matchSegments = (
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined => {
  if (segments.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? "";
    if (!isParameter(expected) && expected !== actual) return undefined;
    if (isParameter(expected) && actual === "") return undefined;
    if (isParameter(expected)) parameters[expected.slice(1, -1)] = actual;
  }
  return parameters;
};
