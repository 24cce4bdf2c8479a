/** Which stock an event is about, for lists of changes (docs/decisions.md, Changes since a time). */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { type ChangedRecords, type ChangeEvent, changedSince } from "../../events/changes-since.ts";
import { defaultDistributionCenter, distributionCenters } from "../../registries/registry-repository.ts";
import type { AccountReader } from "../../runtime/context.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { endedHolds } from "../holds/hold-repository.ts";
import type { StockKey } from "../stock.ts";

/** A product in a distribution center, or a kit, as lists state it. */
export interface ListedStock {
  readonly product_id: number | null;
  readonly distribution_center: string | null;
}

/** A text that identifies a product in a distribution center. */
export const stockNameOf = ({ product_id, distribution_center }: ListedStock): string =>
  `${product_id}@${distribution_center}`;

const listed = z.object({ product_id: primitive.int, distribution_center: primitive.textOrNull });

/**
 * The name of the stock that an event is about. A new product, and one that is assigned to another center,
 * has stock there from then on, although no level changes.
 */
function changedStock({ type, data, previous }: ChangeEvent): string | undefined {
  const isOpened =
    type === "product.created" ||
    (type.startsWith("product.") && previous?.["distribution_center"] !== undefined);
  if (type !== "stock.changed" && !isOpened) return undefined;
  const { product_id, distribution_center } = z.parse(listed, data);
  return stockNameOf({ product_id, distribution_center: distribution_center ?? defaultDistributionCenter });
}

/**
 * The names of stock that changed at or after `since`, as `changedSince`. The end of a hold counts as a
 * change at its time, although its event follows only when its units are given back.
 */
export async function changedStockSince(
  { db, account_id }: AccountReader,
  since: string | undefined,
): Promise<ChangedRecords<string> | undefined> {
  const found = await changedSince(db, account_id, since, changedStock);
  if (found === undefined || since === undefined) return undefined;
  const ended = (await endedHolds(db, account_id)).filter(
    ({ check_at }) => Date.parse(check_at) >= Date.parse(since),
  );
  if (ended.length === 0) return found;
  const codes = new Map(
    (await distributionCenters(db)).map((center) => [center.distribution_center_id, center.code]),
  );
  const names = ended.flatMap(({ goods }) =>
    goods.map(({ product_id, distribution_center_id }) =>
      stockNameOf({ product_id, distribution_center: codes.get(distribution_center_id) ?? null }),
    ),
  );
  return { ...found, changed: new Set([...found.changed, ...names]) };
}

/** The stock with these names, in the order of stock lists. */
export async function stockNamed(
  db: Database,
  names: readonly string[],
): Promise<readonly (StockKey & ListedStock & { readonly distribution_center: string })[]> {
  if (names.length === 0) return [];
  const ids = new Map(
    (await distributionCenters(db)).map((center) => [center.code, center.distribution_center_id]),
  );
  const stock = names.map((name) => {
    const at = name.indexOf("@");
    const distribution_center = name.slice(at + 1);
    const product_id = Number(name.slice(0, at));
    return { product_id, distribution_center, distribution_center_id: ids.get(distribution_center) ?? 0 };
  });
  return stock.sort(
    (left, right) =>
      left.product_id - right.product_id || left.distribution_center_id - right.distribution_center_id,
  );
}
