import { expect, test } from "vitest";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { findSerial, markSerialized } from "../../../shared/serials/serial-repository.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import { stockpile } from "../../support/business/stockpile.ts";
import { claimedOrder, pickFrom, pickItems } from "../../support/business/world.ts";
import { create } from "../../support/records/flows.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** The next product of which one lies on the shelf. */
const goods = await stockpile(service, 5, [{ bin: "A1/03", quantity: 1 }]);

test("a pick asks for the serials of marked products alone", async () => {
  const [plain, other, serialized] = [goods(), goods(), goods()];
  await create(service, createSerials, { sku: serialized.sku, serials: ["S-1"] });
  const products = [plain, other, serialized];
  const order = await claimedOrder(
    service,
    products.map(({ sku }) => ({ sku, quantity: 1 })),
  );
  const watched = troubledDatabase(service);
  const nothing = { before: async () => undefined };
  for (const text of products.map(({ product_id }) => `serial#${product_id}`))
    watched.add(nothing, { command: "Query", text, times: 10 });

  await pickItems({ ...service, db: watched.db }, order, pickFrom(plain.sku, 1), pickFrom(other.sku, 1));
  const ofPlain = watched.hits;
  await pickItems({ ...service, db: watched.db }, order, {
    ...pickFrom(serialized.sku, 1),
    serials: ["S-1"],
  });

  expect([ofPlain, watched.hits]).toEqual([0, 1]);
});

test("a product that is marked, and whose first serials are not stored, is picked without serials", async () => {
  const { sku, product_id } = goods();
  const order = await claimedOrder(service, [{ sku, quantity: 1 }]);
  await changeOne(service.db, markSerialized(product_id));

  const { picks } = await pickItems(service, order, pickFrom(sku, 1));

  expect(picks).toMatchObject([{ quantity: 1, serials: [] }]);
});

test("serials are not stored if their product can't be marked first", async () => {
  const { sku, product_id } = goods();
  const { db, add } = troubledDatabase(service);
  add("error", { command: "UpdateItem", text: "serialized#", times: 20 });
  const creating = create({ ...service, db }, createSerials, { sku, serials: ["S-1"] });

  await expect(creating).rejects.toThrow();
  expect(await findSerial(service.db, product_id, "S-1")).toBeUndefined();
});
