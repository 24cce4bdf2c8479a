/** Which methods a path is served with, and which path was meant by one that is not served. */
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

/** The methods that a path is served with, OPTIONS last; none if the path is not served. */
export function methodsAt(path: string, served: readonly ServedPath[]): readonly string[] {
  const sent = split(path);
  const methods = served.filter(({ segments }) => matches(segments, sent)).flatMap((one) => one.methods);
  return methods.length === 0 ? [] : [...inOrder.filter((one) => methods.includes(one)), "OPTIONS"];
}

/** A path with more or longer segments is compared with none. */
const maxSegments = 12;
const maxSegmentLength = 100;

/** What it takes to turn a path that was sent into a served one. */
const costs = { leftOut: 0.1, extra: 1, parameter: 0.2, otherForm: 0.05 } as const;

/** The highest cost of a segment that was meant: three letters of ten differ. */
const maxMeantCost = 0.6;

/** A word without what clients vary: case, plural, hyphens. */
const wordOf = (segment: string): string => segment.toLowerCase().replaceAll(/[-_]/g, "").replace(/s$/, "");

function segmentCost(sent: string, segment: string): number {
  if (isParameter(segment)) return costs.parameter;
  if (sent === segment) return 0;
  if (wordOf(sent) === wordOf(segment)) return costs.otherForm;
  return (2 * leven(sent, segment)) / Math.max(sent.length, segment.length);
}

interface Aligned {
  readonly cost: number;
  /** Whether a word of the served path was sent, or one like it. */
  readonly isLike: boolean;
  /** The served path, with what was sent in the place of its parameters. */
  readonly path: string;
}

const cheapest = (ways: readonly Aligned[]): Aligned | undefined =>
  ways.reduce<Aligned | undefined>(
    (best, way) => (best === undefined || way.cost < best.cost ? way : best),
    undefined,
  );

/** `segmentCost`, worked out once for each pair: most paths begin with the same segments. */
function rememberedCost(): typeof segmentCost {
  const known = new Map<string, number>();
  return (sent, segment) => {
    const pair = `${sent}/${segment}`;
    const cost = known.get(pair) ?? segmentCost(sent, segment);
    known.set(pair, cost);
    return cost;
  };
}

/** The cheapest way to turn the sent segments into those of a served path: an edit distance of segments. */
function align(
  sent: readonly string[],
  segments: readonly string[],
  costOf: typeof segmentCost,
): Aligned | undefined {
  let above: Aligned[] = [{ cost: 0, isLike: false, path: "" }];
  for (const segment of segments)
    above.push({
      cost: costs.leftOut * above.length,
      isLike: false,
      path: `${above.at(-1)?.path}/${segment}`,
    });
  for (const [position, one] of sent.entries()) {
    const row: Aligned[] = [{ cost: costs.extra * (position + 1), isLike: false, path: "" }];
    for (const [index, segment] of segments.entries()) {
      const left = row[index];
      const ways: Aligned[] = [];
      if (left !== undefined)
        ways.push({ ...left, cost: left.cost + costs.leftOut, path: `${left.path}/${segment}` });
      const up = above[index + 1];
      if (up !== undefined) ways.push({ ...up, cost: up.cost + costs.extra });
      const diagonal = above[index];
      if (diagonal !== undefined) {
        const cost = costOf(one, segment);
        ways.push({
          cost: diagonal.cost + cost,
          isLike: diagonal.isLike || (!isParameter(segment) && cost <= maxMeantCost),
          path: `${diagonal.path}/${isParameter(segment) ? one : segment}`,
        });
      }
      const best = cheapest(ways);
      if (best !== undefined) row.push(best);
    }
    above = row;
  }
  return above.at(-1);
}

/** The served path that is nearest to one that is not served; undefined if no segment is like any. */
export function pathMeant(path: string, served: readonly ServedPath[]): string | undefined {
  const sent = split(path).filter((segment) => segment !== "");
  if (sent.length > maxSegments || sent.some((segment) => segment.length > maxSegmentLength))
    return undefined;
  const costOf = rememberedCost();
  const nearest = cheapest(served.flatMap(({ segments }) => align(sent, segments, costOf) ?? []));
  return nearest?.isLike === true ? nearest.path : undefined;
}
