import { hiddenName } from "../common/fields.ts";
import { duplicatePositions, type FieldError, resolveEach } from "../common/problem.ts";
import { jsonBytes } from "../common/strings.ts";
import { type Accepted, unregistered } from "../registries/registry.ts";
import { type Customer, largestTerms, type Order, type OrderTerms, takenNumber } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { type ItemReferences, resolveItems } from "./order-items.ts";

/** What the orders of one call refer to. */
export interface OrderReferences extends ItemReferences {
  readonly hasShippingMethod: (code: string) => boolean;
  readonly storeNamed: (name: string) => OrderTerms["store"] | undefined;
  readonly storeWithId: (id: number) => OrderTerms["store"] | undefined;
  /** The id of the order that has this number, or is being given it. */
  readonly holderOf: (orderNumber: string) => number | undefined;
  readonly accepted: Accepted;
}

export type ResolvedTerms = { readonly terms: OrderTerms } | { readonly errors: readonly FieldError[] };

const defaultOrderType = 1;

/**
 * Finds everything that an order refers to (docs/decisions.md, What an order refers to). Answers the order's
 * terms, or an error for each reference that names nothing. `path` is the order's place in the request
 * (`data.0`). If an order is being replaced, `before` is that order.
 */
export function resolveTerms(
  { cart, customer, if_short: _ifShort, ...input }: OrderInput,
  references: OrderReferences,
  path: string,
  before?: Order,
): ResolvedTerms {
  const errors: FieldError[] = [];
  const { order_reference = null, order_type_id = defaultOrderType, shipping_method } = input;
  if (!references.hasShippingMethod(shipping_method))
    errors.push(
      unregistered("shipping_method", shipping_method, references.accepted, `${path}.shipping_method`),
    );
  const store = resolveStore(cart, references, `${path}.cart`, errors);
  const goods = resolveItems(input, { channel: store, before }, references, path, errors);
  const [first] = goods.items;
  if (errors.length > 0 || first === undefined) return { errors };
  // Every term is stated, also one that was not sent: a replacement clears it.
  const terms = {
    ...input,
    order_reference,
    order_type_id,
    store,
    warehouse_id: first.distribution_center_id,
    customer: resolveCustomer(customer),
    ...goods,
  } satisfies OrderTerms & Record<keyof OrderTerms, unknown>;
  if (jsonBytes(terms) <= largestTerms) return { terms };
  const message = `come to more than ${largestTerms} bytes with their names, the components of kits counted`;
  return { errors: [{ path: `${path}.items`, message }] };
}

/** The store that a cart names, by its exact name, else by its id. The store is the order's channel. */
export function storeOf(
  { store_name: name, id }: NonNullable<OrderInput["cart"]> = {},
  { storeNamed, storeWithId }: Pick<OrderReferences, "storeNamed" | "storeWithId">,
): OrderTerms["store"] | undefined {
  const named = name === undefined ? undefined : storeNamed(name);
  return named ?? (id === undefined ? undefined : storeWithId(id));
}

/** An order's store; null if its cart names none. Adds to `errors` a name or an id that no store has. */
function resolveStore(
  cart: OrderInput["cart"],
  references: OrderReferences,
  path: string,
  errors: FieldError[],
): OrderTerms["store"] {
  const found = storeOf(cart, references);
  if (found !== undefined) return found;
  const { store_name: name, id } = cart ?? {};
  const { accepted } = references;
  if (name !== undefined) errors.push(unregistered("store_name", name, accepted, `${path}.store_name`));
  if (id !== undefined) errors.push(unregistered("store_id", id, accepted, `${path}.id`));
  return null;
}

const resolveCustomer = ({ lastname, email, phone, zip, ...required }: OrderInput["customer"]): Customer => ({
  ...required,
  lastname: lastname ?? null,
  email: email ?? null,
  phone: phone ?? null,
  zip: String(zip),
});

/**
 * The terms of all orders of a call. If orders are being replaced, `before` holds those, in the order of the
 * call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveOrders(
  inputs: readonly OrderInput[],
  references: OrderReferences,
  before: readonly Order[] = [],
): readonly OrderTerms[] {
  const duplicates = duplicatePositions(inputs.map(({ order_number }) => order_number));
  return resolveEach(inputs, (input, path, errors, position) => {
    const number = input.order_number;
    const holder = references.holderOf(number);
    if (duplicates.has(position))
      errors.push({ path: `${path}.order_number`, message: `is in this call twice (${number})` });
    else if (holder !== undefined && holder !== before[position]?.order_id)
      errors.push({ ...takenNumber(number, `${path}.order_number`), order_id: holder });
    const stored = before[position];
    errors.push(
      ...hiddenName(`${path}.order_number`, number, stored?.order_number),
      ...hiddenName(`${path}.order_reference`, input.order_reference, stored?.order_reference),
    );
    const resolved = resolveTerms(input, references, path, stored);
    if ("terms" in resolved) return resolved.terms;
    errors.push(...resolved.errors);
    return undefined;
  });
}
