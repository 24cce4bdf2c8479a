/** The pages that the bench asks for, and what each has to answer. */
import { dayOf } from "../../../../shared/common/times.ts";
import { statusIds } from "../../../../shared/orders/order.ts";
import { type Account, blockSize, type Facets, orderIdOf, rare, shapeOf, timeOf } from "./account.ts";

export interface Filter {
  readonly name: string;
  /** As a query, without `page` and `per_page`. */
  readonly query: string;
  readonly wants: (facets: Facets) => boolean;
  /** Whether it asks for one facet key, so that a page needs no record of another. */
  readonly oneFacetKey?: boolean;
  /** Days of creation, both inclusive. */
  readonly days?: readonly [number, number];
}

const facetQuery = ({ status, store, type }: Facets): string =>
  `filter_by=store_id&filter_value=${store}&order_type_id=${type}&status_id=${statusIds[status]}`;

const oneFacetKey = (name: string, facets: Facets): Filter => ({
  name,
  query: facetQuery(facets),
  wants: ({ status, store, type }) =>
    status === facets.status && store === facets.store && type === facets.type,
  oneFacetKey: true,
});

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Days that begin and end in the middle of blocks. */
function middleDays(account: Account): readonly [number, number] {
  const at = (share: number): number => {
    const order = Math.floor(account.blocks * blockSize * share);
    return dayOf(timeOf(account, Math.floor(order / blockSize), order % blockSize));
  };
  return [at(0.3), at(0.7)];
}

export function filtersOf(account: Account): readonly Filter[] {
  const days = middleDays(account);
  const dates = `from_date=${dateOf(days[0])}&to_date=${dateOf(days[1])}`;
  const shipped = { query: "status_id=9", wants: ({ status }: Facets) => status === "Shipped" };
  return [
    { name: "none", query: "", wants: () => true },
    { name: "status", ...shipped },
    { name: "store", query: "filter_by=store_id&filter_value=1", wants: ({ store }) => store === 1 },
    oneFacetKey("status, store, type", { ...rare, status: "Shipped" }),
    oneFacetKey("the same, rare", rare),
    { name: "days", query: dates, wants: () => true, days },
    { name: "days, status", query: `${dates}&${shipped.query}`, wants: shipped.wants, days },
  ];
}

/** What a filter finds in an account. */
export interface Expected {
  readonly total: number;
  /** The ids of a page, newest first. */
  readonly idsOf: (page: number, perPage: number) => readonly number[];
  /** The orders that must be stored, so that the page can be read: of the blocks that it lies in. */
  readonly orders: (page: number, perPage: number) => readonly BlockPosition[];
}

export interface BlockPosition {
  readonly block: number;
  readonly position: number;
}

export function expected(account: Account, filter: Filter): Expected {
  const counts = countsOf(account, filter);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const found = (page: number, perPage: number): readonly BlockPosition[] => {
    let skip = (page - 1) * perPage;
    const places: BlockPosition[] = [];
    for (let block = account.blocks - 1; block >= 0 && places.length < perPage; block -= 1) {
      const count = counts[block] ?? 0;
      if (count > skip) places.push(...matching(account, filter, block).toReversed().slice(skip));
      skip = Math.max(0, skip - count);
    }
    return places.slice(0, perPage);
  };
  return {
    total,
    idsOf: (page, perPage) =>
      found(page, perPage).map(({ block, position }) => orderIdOf(account, block, position)),
    orders: (page, perPage) => {
      const touched = [...new Set(found(page, perPage).map(({ block }) => block))];
      return filter.oneFacetKey === true
        ? touched.flatMap((block) => matching(account, filter, block))
        : [...touched, ...cutBlocks(account, filter)].flatMap(wholeBlock);
    },
  };
}

const wholeBlock = (block: number): readonly BlockPosition[] =>
  Array.from({ length: blockSize }, (_, position) => ({ block, position }));

/** The orders of a block that a filter finds, oldest first. */
const matching = (account: Account, { wants, days }: Filter, block: number): readonly BlockPosition[] =>
  shapeOf(account, block).flatMap((facets, position) => {
    if (!wants(facets)) return [];
    const day = days === undefined ? 0 : dayOf(timeOf(account, block, position));
    return days === undefined || (day >= days[0] && day <= days[1]) ? [{ block, position }] : [];
  });

/** How many orders a filter finds in each block. */
function countsOf(account: Account, filter: Filter): readonly number[] {
  const { shapes, moved } = account;
  const whole = shapes.map((shape) => shape.filter(filter.wants).length);
  return Array.from({ length: account.blocks }, (_, block) => {
    const reach = reachOf(account, filter, block);
    if (reach === "outside") return 0;
    return reach === "cut" || moved.has(block)
      ? matching(account, filter, block).length
      : (whole[block % shapes.length] ?? 0);
  });
}

/** How the days of a block lie to those of a filter, as far as the leases of blocks tell. */
function reachOf(account: Account, { days }: Filter, block: number): "within" | "outside" | "cut" {
  if (days === undefined) return "within";
  const isLast = block === account.blocks - 1;
  const first = dayOf(timeOf(account, block, 0));
  const last = isLast ? Number.POSITIVE_INFINITY : dayOf(timeOf(account, block + 1, 0));
  if (first > days[1] || last < days[0]) return "outside";
  return first >= days[0] && last <= days[1] ? "within" : "cut";
}

const cutBlocks = (account: Account, filter: Filter): readonly number[] =>
  filter.days === undefined
    ? []
    : Array.from({ length: account.blocks }, (_, block) => block).filter(
        (block) => reachOf(account, filter, block) === "cut",
      );
