/**
 * Records as clients may send them, at random: with fields left out, null and blank, and with texts of all
 * kinds.
 */
import fc from "fast-check";
import * as z from "zod/mini";
import { pickStyles, productInput } from "../../../shared/catalog/products/product.ts";
import { isStorableText } from "../../../shared/common/fields.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";

/** What the field's rule takes of these values. */
const taken = <T>(values: fc.Arbitrary<T>, field: z.ZodMiniType): fc.Arbitrary<T> =>
  values.filter((value) => z.safeParse(field, value).success);

/** A value, or one of those that stand for none. */
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined | ""> =>
  fc.oneof({ arbitrary: values, weight: 3 }, fc.constantFrom(null, undefined, "" as const));

const text = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).filter(isStorableText);
const amount = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true }));
const quantity = fc.integer({ min: 1, max: 1000 });
const price = fc.oneof(amount, fc.double({ min: -1e9, max: -1e-9, noNaN: true }));

const product = productInput.shape;

/** A product but for its SKU. `suppliers` and the like are those that the account has. */
export const productFields = (known: {
  readonly suppliers: readonly string[];
  readonly packageTypes: readonly string[];
  readonly centers: readonly string[];
}) =>
  fc.record({
    description: taken(text, product.description),
    width: amount,
    length: amount,
    height: amount,
    weight: amount,
    cost: amount,
    retail: amount,
    upc: maybe(text),
    harmonization_code: maybe(text),
    supplier: maybe(fc.constantFrom(...known.suppliers)),
    distribution_center: maybe(fc.constantFrom(...known.centers)),
    package_type: maybe(fc.constantFrom(...known.packageTypes)),
    pick_style: maybe(fc.constantFrom(...pickStyles)),
    one_time_product: maybe(fc.constantFrom("Yes", "Y", "YES", "No", "N", "NO")),
    case_qty: maybe(fc.double({ min: 1, max: 1e9, noNaN: true })),
    category: maybe(text),
    model: maybe(text),
    manufacturer: maybe(text),
    client_option1: maybe(text),
    client_option2: maybe(text),
    client_option3: maybe(text),
    image_url: maybe(fc.constantFrom("https://example.com/a%20b.png", "http://example.com:8080/ü?x=[1]#z")),
  });

const { customer } = orderInput.shape;

const customerFields = fc.record({
  firstname: taken(text, customer.shape.firstname),
  lastname: maybe(text),
  email: maybe(taken(fc.emailAddress(), customer.shape.email)),
  phone: maybe(text),
  address1: taken(text, customer.shape.address1),
  city: taken(text, customer.shape.city),
  state: fc.oneof(fc.constant(""), text),
  zip: fc.oneof(
    fc.constant(""),
    fc.nat(),
    text.filter((zip) => zip.length <= 20),
  ),
  country: taken(text, customer.shape.country),
});

/**
 * An order but for its number. Its lines name these `names`, each of which a line may name in every order.
 */
export const orderFields = (names: readonly string[], carts: readonly object[]) =>
  fc.record({
    order_reference: maybe(taken(text, orderInput.shape.order_reference)),
    order_type_id: maybe(fc.integer({ min: 1, max: 99 })),
    cart: maybe(fc.constantFrom(...carts)),
    customer: customerFields,
    items: fc.array(fc.record({ sku: fc.constantFrom(...names), quantity, sold_price: maybe(price) }), {
      minLength: 1,
      maxLength: 8,
    }),
  });

/** Lines of a replenishment, or components of a kit: each of these SKUs at most once. */
export const linesOf = (skus: readonly string[]) =>
  fc
    .uniqueArray(fc.constantFrom(...skus), { minLength: 1, maxLength: skus.length })
    .chain((chosen) => fc.tuple(...chosen.map((sku) => fc.record({ sku: fc.constant(sku), quantity }))));

/** The day that goods are expected, as a date or as a date-time. */
export const eta = maybe(
  fc
    .date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
    .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 10))),
);

export { maybe };
