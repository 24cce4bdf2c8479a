import { describe, expect, test } from "vitest";
import { newProduct, newStore } from "../../support/business/world.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { expectRefusal, expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { orderOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** The owner that the calls of this file are about; none of them may change its attributes. */
const owner = "/attributes/distribution_center/1";
const service = await sharedService();
await service.oms.post(owner, { data: ["color", "size"].map((attribute) => ({ attribute, value: "1" })) });

const stored = async () => (await service.oms.get(owner)).body;
const create = (...data: readonly unknown[]): Promise<Answer> => service.oms.post(owner, { data });
const remove = (query: string, path = owner): Promise<Answer> =>
  service.oms.send("DELETE", path + query, undefined);

const linesOf = ({ body }: Answer) =>
  listAt(body, "response.errors").map((error) => `${at(error, "path")} ${at(error, "message")}`);

describe("a name", () => {
  test("that exists is 400 for POST, each of them", async () => {
    const names = ["new", "color", "size"];

    const answer = await create(...names.map((attribute) => ({ attribute, value: "2" })));

    expect(answer.status).toBe(400);
    expect(linesOf(answer)).toEqual([
      "data.1.attribute already exists (color)",
      "data.2.attribute already exists (size)",
    ]);
  });

  test.each([
    ["", 400, "attribute is required"],
    ["?attribute=", 400, "attribute is required"],
    [`?attribute=${"x".repeat(101)}`, 400, "attribute must have at most 100 characters"],
    ["?attribute=Color", 404, "There is no attribute Color"],
    ["?attribute=color&attribute=size", 404, "There is no attribute color,size"],
  ])("of a DELETE %s is %i", async (query, status, message) => {
    const answer = await remove(query);

    expect(answer.status).toBe(status);
    expect(at(answer.body, "response.message")).toBe(message);
  });

  test("is deleted by no read-only key", async () => {
    const reader = await newStore(service, { key_scope: "read" });

    const answer = await reader.oms.send("DELETE", `${owner}?attribute=color`, undefined);

    expect(answer.status).toBe(403);
  });
});

const data = [{ attribute: "color", value: "2" }];
const methods: readonly ((path: string) => Promise<Answer>)[] = [
  (path) => service.oms.get(path),
  (path) => service.oms.post(path, { data }),
  (path) => service.oms.patch(path, { data }),
  (path) => remove("?attribute=color", path),
];

async function everyMethod(path: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const method of methods) answers.push(await method(path));
  return answers;
}

const types = ["order", "product", "replenishment", "return", "manufacture", "distribution_center"];

describe("an owner", () => {
  test.each(["orderss", "customer", "1", "distribution-center", "%20"])(
    "of the unknown type %s is 400, naming those there are",
    async (type) => {
      const answers = await everyMethod(`/attributes/${type}/1`);

      const message = `must be one of ${types.join(", ")}`;
      for (const answer of answers) expectRefusal(answer, "owner_type", message);
    },
  );

  // Each id goes through every method, of some types, and each type through every method, with two ids.
  test.each(types.map((type, turn) => ({ type, turn })))(
    "that is no $type is 404",
    async ({ type, turn }) => {
      const ids = ["999999999", "0", "-1", "1e3", "01", "DEMO-TEE", "9".repeat(30), "1.0"];
      for (const [position, id] of ids.entries()) {
        const answer = await methods[(position + turn) % methods.length]?.(`/attributes/${type}/${id}`);

        expect(answer?.status, id).toBe(404);
        const by = type === "order" ? "order_id" : "the id";
        expect(at(answer?.body, "response.message")).toBe(`There is no ${type} with ${by} ${id}`);
      }
    },
  );

  test.each([
    ["product/NO-SUCH?identify_by=sku", 404, "There is no product with the SKU NO-SUCH"],
    ["order/NO-SUCH?identify_by=order_number", 404, "There is no order with order_number NO-SUCH"],
    ["order/1?identify_by=sku", 400, "identify_by must be one of ORDER where owner_type is order"],
    [
      "product/1?identify_by=id",
      400,
      "identify_by must be one of product_id, sku where owner_type is product",
    ],
    ["return/1?identify_by=sku", 400, "identify_by must be one of return_id where owner_type is return"],
  ])("at %s is %i", async (path, status, message) => {
    const answers = [
      await service.oms.get(`/attributes/${path}`),
      await service.oms.post(`/attributes/${path}`, { data: [{ attribute: "color", value: "2" }] }),
      await service.oms.send("DELETE", `/attributes/${path}&attribute=color`, undefined),
    ];

    const said = message.replace("ORDER", "order_id, order_number, order_reference, order_api");
    for (const { status: seen, body } of answers) {
      expect(seen).toBe(status);
      expect(at(body, "response.message")).toBe(said);
    }
  });

  test("that would be found by another field is 404, which names the field", async () => {
    const { sku } = await newProduct(service, { sku: unique("70") });
    const { order_number } = orderOf();
    await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 1 }], { order_number })] });

    const answers = [
      ...(await everyMethod(`/attributes/product/${sku}`)),
      ...(await everyMethod(`/attributes/order/${order_number}`)),
    ];

    expect(answers.map(({ body }) => at(body, "response.message"))).toEqual([
      ...Array.from({ length: 4 }, () => `There is no product with the id ${sku}; identify_by=sku finds one`),
      ...Array.from(
        { length: 4 },
        () => `There is no order with order_id ${order_number}; identify_by=order_number finds one`,
      ),
    ]);
  });

  test("with an id of more than 255 characters is 400", async () => {
    const answers = await everyMethod(`/attributes/order/${"1".repeat(256)}`);

    for (const answer of answers) expectRefusedAt(answer, ["owner_id"]);
  });
});

changeNothing(stored);
