/** The methods with which a path is served, and the served path that a client probably meant. */
import leven from "leven";

/** A served path, such as `/orders/{order}`, and its methods. */
interface ServedPath {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

const split = (path: string): readonly string[] => path.split("/").slice(1);

const isParameter = (segment: string): boolean => segment.startsWith("{");

/** The served paths of routes such as `GET /orders/{order}`. HEAD is served wherever GET is. */
export function servedPaths(routes: readonly string[]): readonly ServedPath[] {
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ");
    const found = methods.get(path) ?? [];
    found.push(...(method === "GET" ? ["GET", "HEAD"] : [method]));
    methods.set(path, found);
  }
  return [...methods].map(([path, served]) => ({ segments: split(path), methods: served }));
}

const matches = (segments: readonly string[], sent: readonly string[]): boolean =>
  segments.length === sent.length &&
  segments.every((segment, position) =>
    isParameter(segment) ? sent[position] !== "" : segment === sent[position],
  );

const inOrder = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The methods with which a path is served, OPTIONS last; none if the path is not served. */
export function methodsAt(path: string, served: readonly ServedPath[]): readonly string[] {
  const sent = split(path);
  const methods = served.filter(({ segments }) => matches(segments, sent)).flatMap((one) => one.methods);
  return methods.length === 0 ? [] : [...inOrder.filter((one) => methods.includes(one)), "OPTIONS"];
}

/** Paths with more or longer segments are not compared. */
const maxSegments = 12;
const maxSegmentLength = 100;

/** The costs of turning a path that was sent into a served one. */
const costs = { leftOut: 0.1, extra: 1, parameter: 0.2, otherForm: 0.05 } as const;

/** The maximum cost at which a segment counts as meant: three letters of ten differ. */
const maxMeantCost = 0.6;

/** A word without what clients vary: case, plural, hyphens. */
const wordOf = (segment: string): string => segment.toLowerCase().replaceAll(/[-_]/g, "").replace(/s$/, "");

function wordCost(sent: string, word: string): number {
  if (sent === word) return 0;
  if (wordOf(sent) === wordOf(word)) return costs.otherForm;
  return (2 * leven(sent, word)) / Math.max(sent.length, word.length);
}

/** A served path, with the segments that were sent in place of its parameters. */
interface Aligned {
  readonly cost: number;
  readonly path: readonly string[];
}

const cheapest = (ways: readonly Aligned[]): Aligned | undefined =>
  ways.reduce<Aligned | undefined>(
    (best, way) => (best === undefined || way.cost < best.cost ? way : best),
    undefined,
  );

/**
 * The cheapest way to turn the sent segments into those of a served path. A segment is taken for a parameter
 * only behind one that was meant: an unknown resource is not the id of a known one.
 * @param isMeant whether the segment before these was meant
 * @returns undefined if the last segment that the served path has room for was not
 */
function align(sent: readonly string[], segments: readonly string[], isMeant = false): Aligned | undefined {
  const [one, ...others] = sent;
  const [segment, ...rest] = segments;
  if (one === undefined || segment === undefined) {
    const cost = costs.leftOut * segments.length + costs.extra * sent.length;
    return isMeant ? { cost, path: segments } : undefined;
  }
  const isValue = isParameter(segment);
  const cost = isValue ? costs.parameter : wordCost(one, segment);
  const compared = isValue && !isMeant ? undefined : align(others, rest, isValue || cost <= maxMeantCost);
  const without = align(sent, rest);
  const ways: Aligned[] = [];
  if (compared !== undefined)
    ways.push({ cost: cost + compared.cost, path: [isValue ? one : segment, ...compared.path] });
  if (without !== undefined)
    ways.push({ cost: costs.leftOut + without.cost, path: [segment, ...without.path] });
  return cheapest(ways);
}

/** The served path that is nearest to an unserved one; undefined if none is similar. */
export function pathMeant(path: string, served: readonly ServedPath[]): string | undefined {
  const sent = split(path).filter((segment) => segment !== "");
  if (sent.length > maxSegments || sent.some((segment) => segment.length > maxSegmentLength))
    return undefined;
  const nearest = cheapest(served.flatMap(({ segments }) => align(sent, segments) ?? []));
  return nearest && ["", ...nearest.path].join("/");
}
