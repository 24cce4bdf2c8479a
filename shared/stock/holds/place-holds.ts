/** Places the holds of a call, all of them or none. */
import { findSkus } from "../../catalog/name-repository.ts";
import { skuError } from "../../catalog/names.ts";
import { placed, resolveEach, valuesOf } from "../../common/placed.ts";
import { conflictAt, type FieldError, invalidAt } from "../../common/problem.ts";
import { registryErrors } from "../../registries/registry.ts";
import {
  distributionCenterIn,
  type Reference,
  readRegistered,
  referenceLookups,
} from "../../registries/registry-repository.ts";
import type { AccountContext } from "../../runtime/context.ts";
import { firstUnassignedId } from "../../store/dynamodb/dry-run.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { transactionLimit, untilFresh } from "../../store/dynamodb/transact.ts";
import { storedTogether, type Write, withEffects } from "../../store/dynamodb/writes.ts";
import { storeOnce } from "../../store/idempotency.ts";
import { resolveNames } from "../find-stock.ts";
import { type StockPart, stockEntriesOf } from "../stock.ts";
import { type Shortage, type Supply, shortMessage, withSupply } from "../supply.ts";
import { type Hold, type HoldInput, newHoldId, partsOfHold, presentHold } from "./hold.ts";
import { insertHold } from "./hold-repository.ts";

/** A product that is held, and its units in one unit of the hold. */
interface HeldGoods {
  readonly sku: string;
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly quantity: number;
}

interface Wanted {
  readonly input: HoldInput;
  /** Its path in the request: `data.0`. */
  readonly path: string;
  readonly isKit: boolean;
  readonly goods: readonly HeldGoods[];
}

/**
 * Places holds in one transaction.
 * @throws Problem `conflict` if one of them is short; `invalid`; nothing is stored then
 */
export const placeHolds = (context: AccountContext, inputs: readonly HoldInput[]) =>
  untilFresh(context.db, async () => {
    const { db, actor: by } = context;
    const wanted = await resolveWanted(context, inputs);
    const keys = wanted.flatMap(({ goods }) => goods);
    const parts: StockPart[] = [];
    const errors: FieldError[] = [];
    let taken = (): readonly Write[] => [];
    const holds = await withSupply(db, keys, (supply) => {
      const at = new Date().toISOString();
      return wanted.map((one, position) => {
        const placed = newHold(context, one, supply, { at, position });
        const own = partsOfHold(placed, placed.quantity, { reason: "hold_created", by, at });
        // Together with the parts before: a transaction changes an item once, and guarded changes do not
        // merge.
        const reserved = supply.reserve(stockEntriesOf([...own, ...parts]));
        if ("short" in reserved) errors.push(shortError(one, reserved.short[0]));
        else {
          parts.push(...own);
          taken = reserved.writes;
        }
        return placed;
      });
    });
    if (errors.length > 0) throw conflictAt(errors);
    const writes = withEffects(storedTogether(holds.map(insertHold)), taken());
    // The receipt of an Idempotency-Key takes one more item.
    const needed = writes.length + 1;
    if (needed > transactionLimit) {
      const message = `needs ${needed} writes, and a call has at most ${transactionLimit}; hold fewer products in each call`;
      throw invalidAt([{ path: "data", message }]);
    }
    return storeOnce(context, writes, { data: holds.map(presentHold) });
  });

/** The error of a hold that is short after those before it. */
function shortError({ goods, path, input }: Wanted, short: Shortage): FieldError {
  const part = goods.find(({ product_id }) => product_id === short.product_id);
  const units = input.quantity * (part?.quantity ?? 1);
  return { path: `${path}.quantity`, message: shortMessage(short, part?.sku, units) };
}

/**
 * What the holds of a call name.
 * @throws Problem `invalid` with every name that is unknown
 */
async function resolveWanted(
  context: AccountContext,
  inputs: readonly HoldInput[],
): Promise<readonly Wanted[]> {
  const { db, account_id } = context;
  const named = await resolveNames(context, [...new Set(inputs.map(({ sku }) => sku))]);
  const linesOf = (sku: string): readonly { readonly sku: string; readonly quantity: number }[] => {
    const meant = named.get(sku);
    if (meant === undefined || "several" in meant) return [];
    return "kit" in meant ? meant.kit.items : [{ sku: meant.sku, quantity: 1 }];
  };
  const references = inputs.map(({ distribution_center: code }): Reference => ["distribution_center", code]);
  const [products, find] = await Promise.all([
    findSkus(db, account_id, [...new Set(inputs.flatMap(({ sku }) => linesOf(sku).map((line) => line.sku)))]),
    getItems(db, referenceLookups(account_id, references)),
  ]);
  const registered = await readRegistered(db, account_id, references, find);
  const resolved = resolveEach(placed(inputs), (input, path, errors): Wanted => {
    const code = input.distribution_center;
    const center = code === undefined ? undefined : distributionCenterIn(find, code);
    errors.push(...registryErrors("distribution_center", code, registered, `${path}.distribution_center`));
    const lines = linesOf(input.sku);
    if (lines.length === 0) errors.push(skuError(input.sku, path));
    const goods = lines.flatMap(({ sku, quantity }): readonly HeldGoods[] => {
      const product = products.get(sku);
      if (product === undefined) return [];
      const { distribution_center_id } = center ?? product;
      return [{ ...product, distribution_center_id, quantity }];
    });
    return { input, path, goods, isKit: "kit" in (named.get(input.sku) ?? {}) };
  });
  return valuesOf(resolved);
}

/** @throws Problem `invalid` if a center does not keep the goods to hold */
function newHold(
  { db, account_id, actor }: AccountContext,
  { input, path, isKit, goods }: Wanted,
  supply: Supply,
  { at, position }: { readonly at: string; readonly position: number },
): Hold {
  const centers = goods.map((part) => {
    const level = supply.levelAt(part);
    if (level !== undefined) return level.distribution_center;
    throw invalidAt([{ path: `${path}.distribution_center`, message: `does not keep ${part.sku}` }]);
  });
  const [center = null, ...others] = new Set(centers);
  const [first] = goods;
  const { sku, quantity, reference = null, expires_in } = input;
  const check_at = new Date(Date.parse(at) + expires_in * 1000).toISOString();
  return {
    account_id,
    hold_id: db.dryRun === undefined ? newHoldId(check_at) : String(firstUnassignedId + position),
    sku: isKit ? sku : (first?.sku ?? sku),
    product_id: isKit ? null : (first?.product_id ?? null),
    distribution_center: others.length === 0 ? center : null,
    quantity,
    reference,
    goods: goods.map(({ product_id, distribution_center_id, quantity: units }) => ({
      product_id,
      distribution_center_id,
      quantity: units,
    })),
    created_by: actor,
    created_at: at,
    check_at,
  };
}
