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
 * The cheapest way to turn the sent segments into those of a served path: an edit distance of segments. One
 * is taken for a parameter only behind one that was meant: an unknown resource is not the id of a known one.
 * @returns undefined if the last of the segments that were compared was not meant
 */
function align(sent: readonly string[], segments: readonly string[]): Aligned | undefined {
  const known = new Map<string, Aligned | undefined>();
  /** Aligns the segments from these positions on. `isMeant`: whether the one before them was meant. */
  const from = (position: number, index: number, isMeant: boolean): Aligned | undefined => {
    const state = `${position}/${index}/${isMeant}`;
    if (!known.has(state)) known.set(state, cheapest(waysFrom(position, index, isMeant)));
    return known.get(state);
  };
  const waysFrom = (position: number, index: number, isMeant: boolean): readonly Aligned[] => {
    const [one, segment] = [sent[position], segments[index]];
    if (one === undefined || segment === undefined) {
      const rest = segments.slice(index);
      const cost = costs.leftOut * rest.length + costs.extra * (sent.length - position);
      return isMeant ? [{ cost, path: rest }] : [];
    }
    const isValue = isParameter(segment);
    const cost = isValue ? costs.parameter : wordCost(one, segment);
    const isLike = isValue || cost <= maxMeantCost;
    const fits = !isValue || isMeant;
    return [
      ...(fits ? after(cost, [isValue ? one : segment], from(position + 1, index + 1, isLike)) : []),
      ...after(costs.leftOut, [segment], from(position, index + 1, false)),
      ...after(costs.extra, [], from(position + 1, index, false)),
    ];
  };
  return from(0, 0, false);
}

const after = (cost: number, path: readonly string[], rest: Aligned | undefined): readonly Aligned[] =>
  rest === undefined ? [] : [{ cost: cost + rest.cost, path: [...path, ...rest.path] }];

/** The served path that is nearest to an unserved one; undefined if none is similar. */
export function pathMeant(path: string, served: readonly ServedPath[]): string | undefined {
  const sent = split(path).filter((segment) => segment !== "");
  if (sent.length > maxSegments || sent.some((segment) => segment.length > maxSegmentLength))
    return undefined;
  const nearest = cheapest(served.flatMap(({ segments }) => align(sent, segments) ?? []));
  return nearest && ["", ...nearest.path].join("/");
}
