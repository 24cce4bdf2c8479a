/** A route's key and what it leads to. */
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
  /** `ANY` matches every method. */
  readonly method: string;
  readonly segments: readonly string[];
}

const fallbackKey = "$default";

/**
 * Finds the route of a request as API Gateway does. Fixed segments win over parameters, parameters over the
 * greedy `{name+}`, a method over `ANY`. A request goes to `$default` if no route matches path and method.
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
      .sort((a, b) => compare(rank(a), rank(b)));
  }

  /** @param path the decoded path: API Gateway decodes before it matches, so `%2F` separates segments */
  match(method: string, path: string): Match<Target> | undefined {
    const segments = split(path);
    for (const pattern of this.#patterns) {
      if (pattern.method !== method && pattern.method !== "ANY") continue;
      const parameters = matchSegments(pattern.segments, segments);
      if (parameters !== undefined) return { ...pattern.route, parameters };
    }
    return this.#fallback && { ...this.#fallback, parameters: {} };
  }
}

const split = (path: string): string[] => path.split("/").slice(1);

/** Sorts patterns so that the first match is the most specific one. */
const rank = ({ segments, method }: Pattern<unknown>): string =>
  `${segments.map(kindOf).join("")}~${method === "ANY" ? 1 : 0}`;

const kindOf = (segment: string): "0" | "1" | "2" => {
  if (!segment.startsWith("{")) return "0";
  return segment.endsWith("+}") ? "2" : "1";
};

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const matchSegments = (
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined => {
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index];
    if (actual === undefined) return undefined;
    const kind = kindOf(expected);
    if (kind === "2") {
      parameters[expected.slice(1, -2)] = segments.slice(index).join("/");
      return parameters;
    }
    if (kind === "1") {
      if (actual === "") return undefined;
      parameters[expected.slice(1, -1)] = actual;
    } else if (expected !== actual) return undefined;
  }
  return segments.length === pattern.length ? parameters : undefined;
};
