/** Imports from files: registries, a catalog, stock and open orders. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { distributionCenterLookup } from "../../../../shared/registries/registry-repository.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { binsHold } from "../../../support/business/stored.ts";
import { pendingOrder } from "../../../support/business/world.ts";
import { invent, lose } from "../../../support/damages/damage.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { customer, unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { temporaryFiles } from "../../../support/runtime/files.ts";
import { hurried } from "../../../support/runtime/hurried.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";

const fileOf = temporaryFiles();

const service = await ownService();

const rejections = z.array(z.object({ row: z.int(), field: z.string(), message: z.string() }));
const answer = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  different: rejections,
  refused: rejections,
});
const nothing = { created: 0, updated: 0, unchanged: 0, different: [], refused: [] };

async function importRecords(words: readonly string[], db = service.db) {
  const { status, stdout, stderr } = await runOperator(["--json", "--yes", ...words], db);
  if (stdout === "") throw new Error(stderr);
  return { status, ...answer.parse(JSON.parse(stdout)) };
}

const header = "sku,description,width,length,height,weight,cost,retail,supplier,case_qty";
const productRow = (sku: string, more = "Acme Supply,12") =>
  `${sku},"A ""good"" thing, large",10,12,4,0.5,2.5,9.95,${more}`;

describe("an import of products", () => {
  test("an import creates products as the API does, and nothing twice if it is repeated", async () => {
    const skus = Array.from({ length: 230 }, () => unique("IMP"));
    const file = fileOf("products.csv", header, ...skus.map((sku) => productRow(sku)));

    const first = await importRecords(["products", "import", "100", file]);
    const second = await importRecords(["products", "import", "100", file]);
    const found = await service.oms.get(`/inventory/products/${skus[229]}?identify_by=sku`);

    expect(first).toEqual({ ...nothing, status: 0, created: 230 });
    expect(second).toEqual({ ...nothing, status: 0, unchanged: 230 });
    expect(at(found.body, "data")).toMatchObject({
      sku: skus[229],
      description: 'A "good" thing, large',
      retail: 9.95,
      case_qty: 12,
      supplier: "Acme Supply",
    });
  });

  test("invalid rows are rejected with row and field, and all others are created", async () => {
    const [good, twice] = [unique("GOOD"), unique("TWICE")];
    const file = fileOf(
      "wrong.csv",
      header,
      productRow(good),
      productRow("", ","),
      `${unique("WIDE")},x,wide,1,1,1,1,1,,`,
      productRow(unique("SUPPLIER"), "Nobody,"),
      productRow(twice, ","),
      productRow(twice, ","),
    );

    const { status, created, refused } = await importRecords(["products", "import", "100", file]);
    const found = await service.oms.get(`/inventory/products/${good}?identify_by=sku`);

    expect([status, created, found.status]).toEqual([4, 1, 200]);
    expect(refused.map(({ row, field }) => `${row} ${field}`)).toEqual([
      "3 sku",
      "4 width",
      "5 supplier",
      "6 sku",
      "7 sku",
    ]);
    expect(refused.map(({ message }) => message)).toEqual([
      "is required",
      "must be a number",
      expect.stringContaining("is not a registered supplier (Nobody)"),
      "is also in row 7: a product may occur once",
      "is also in row 6: a product may occur once",
    ]);
  });

  test("rows that differ from what is stored are listed field by field, and stored with --update only", async () => {
    const sku = unique("DIFF");
    await importRecords(["products", "import", "100", fileOf("diff.csv", header, productRow(sku))]);
    const changed = fileOf("diff2.csv", header, `${sku},A thing,10,12,4,0.5,2.5,8.95,Acme Supply,12`);

    const listed = await importRecords(["products", "import", "100", changed]);
    const updated = await importRecords(["products", "import", "100", changed, "--update"]);
    const again = await importRecords(["products", "import", "100", changed]);

    expect(listed).toEqual({
      ...{ ...nothing, status: 4 },
      different: [
        {
          row: 2,
          field: "description",
          message: 'is "A \\"good\\" thing, large" in the service, and "A thing" here',
        },
        { row: 2, field: "retail", message: "is 9.95 in the service, and 8.95 here" },
      ],
    });
    expect(updated).toEqual({ ...nothing, status: 0, updated: 1 });
    expect(again).toEqual({ ...nothing, status: 0, unchanged: 1 });
  });

  test("a repeated import continues an aborted one", async () => {
    const skus = Array.from({ length: 350 }, () => unique("CUT"));
    const file = fileOf("cut.csv", header, ...skus.map((sku) => productRow(sku)));
    const troubled = troubledDatabase(service);
    const fine = { after: async () => undefined };
    for (let call = 0; call < 12; call += 1) troubled.add(fine);
    troubled.add("error", { times: 1000 });

    const broken = await runOperator(["products", "import", "100", file, "--yes"], troubled.db);
    const { created, unchanged, refused } = await importRecords(["products", "import", "100", file]);

    expect(broken.status).toBe(3);
    expect([created + unchanged, refused]).toEqual([350, []]);
    expect(created).toBeGreaterThan(0);
  });

  test("an import retries conflicts for longer than a call of the API", async () => {
    const troubled = troubledDatabase(service);
    troubled.add("conflict", { times: 22, text: "retail" });
    // The retries wait for about 8 s in all, by which the clock is advanced. An API call gives up after 4 s.
    const uptime = process.uptime.bind(process);
    let waited = 0;
    const spied = vi.spyOn(process, "uptime").mockImplementation(() => uptime() + waited / 1000);
    onTestFinished(() => spied.mockRestore());

    const { status, created } = await hurried(
      () =>
        importRecords(
          ["products", "import", "100", fileOf("busy.csv", header, productRow(unique("BUSY")))],
          troubled.db,
        ),
      async (milliseconds) => {
        waited += milliseconds;
      },
    );

    expect([status, created, troubled.hits]).toEqual([0, 1, 22]);
  });

  test.each([
    [
      "an account that does not exist",
      ["products", "import", "999", "x.csv", "--yes"],
      "There is no account 999",
    ],
    [
      "a file that does not exist",
      ["products", "import", "100", "/nowhere.csv", "--yes"],
      "/nowhere.csv can't be opened",
    ],
    ["an unknown file type", ["products", "import", "100", "x.xlsx", "--yes"], "must end with .csv or .json"],
  ])("an import is rejected for %s", async (_case, words, message) => {
    const { status, stdout, stderr } = await runOperator(words, service.db);

    expect([status, stdout]).toEqual([message.startsWith("There") ? 1 : 2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("an import of stock", () => {
  test("an import of stock sets bins with movements that add up, and skips bins that have been counted", async () => {
    const sku = unique("STOCK");
    await importRecords(["products", "import", "100", fileOf("one.csv", header, productRow(sku))]);
    const file = fileOf("stock.csv", "sku,location,bin,quantity", `${sku},A1,01,7`, `${sku},A1,02,3`);
    const first = await importRecords(["stock", "import", "100", file]);
    const orderId = await pendingOrder(service, [{ sku, quantity: 2 }]);
    const changed = fileOf("stock2.csv", "sku,location,bin,quantity", `${sku},A1,01,100`, `${sku},A2,01,5`);

    const second = await importRecords(["stock", "import", "100", changed]);

    const held = await binsHold(service, sku);
    const third = await importRecords(["stock", "import", "100", changed, "--update"]);
    await service.settled();

    expect(first).toEqual({ ...nothing, status: 0, created: 2 });
    const message = "is 7 in the service, and 100 here";
    expect(second).toEqual({
      ...{ ...nothing, status: 4, created: 1 },
      different: [{ row: 2, field: "quantity", message }],
    });
    expect(orderId).toBeGreaterThan(0);
    expect(held).toEqual(["A1/01: 7", "A1/02: 3", "A2/01: 5"]);
    expect(third).toEqual({ ...nothing, status: 0, updated: 1, unchanged: 1 });
    await service.runtime.runSchedule("jobs/sweep-jobs");
    expect(await expectBalanceAndMovements(service, sku)).toMatchObject({ reserved: 2 });
  });

  test("two rows about one bin are both rejected, however far apart they are", async () => {
    const sku = unique("AGAIN");
    await importRecords(["products", "import", "100", fileOf("again.csv", header, productRow(sku))]);
    const between = Array.from({ length: 250 }, (_, row) => `NOPE,A1,B${row},1`);
    const rows = [`${sku},A1,01,4`, ...between, `${sku} ,A1,01,9`];

    const { created, unchanged, refused } = await importRecords([
      ...["stock", "import", "100"],
      fileOf("again-stock.csv", "sku,location,bin,quantity", ...rows),
    ]);

    expect([created, unchanged]).toEqual([0, 0]);
    const alsoIn = (row: number) => `is also in row ${row}: a product may be counted once in a bin`;
    expect(refused.at(0)).toEqual({ row: 2, field: "bin", message: alsoIn(253) });
    expect(refused.at(-1)).toEqual({ row: 253, field: "bin", message: alsoIn(2) });
    expect(await binsHold(service, sku)).toEqual([]);
  });

  test("rows are rejected as a recount rejects them", async () => {
    const sku = unique("WRONG");
    await importRecords(["products", "import", "100", fileOf("two.csv", header, productRow(sku))]);
    const rows = [
      `${sku},A1,01,1`,
      `${sku},A1,01,2`,
      "NOPE,A1,01,1",
      `${sku},Z9,01,1`,
      `${sku},A1,02,-1`,
      ",A1,01,1",
      `${sku},A1,02,4`,
    ];

    const { created, refused } = await importRecords([
      ...["stock", "import", "100"],
      fileOf("wrong-stock.csv", "sku,location,bin,quantity", ...rows),
    ]);

    expect(created).toBe(1);
    expect(refused.map(({ row, message }) => `${row} ${message}`)).toEqual([
      "2 is also in row 3: a product may be counted once in a bin",
      "3 is also in row 2: a product may be counted once in a bin",
      "4 sku does not exist",
      expect.stringContaining("5 location does not exist"),
      "6 quantity not valid: it must be from 0 to 1000000000 (-1)",
      "7 sku is missing",
    ]);
  });
});

describe("an import of orders", () => {
  test("an import of orders reads a row for each line, reserves stock, and creates nothing twice", async () => {
    const [first, second] = [unique("ORD"), unique("ORD")];
    const columns =
      "order_number,shipping_method,cart.store_name,customer.firstname,customer.address1,customer.city,customer.state,customer.zip,customer.country,sku,quantity,sold_price";
    const line = (number: string, sku: string, quantity: number) =>
      `${number},GROUND,Demo Web Store,Grace,2 Sample Street,Springfield,IL,62701,US,${sku},${quantity},9.5`;
    const file = fileOf(
      "orders.csv",
      columns,
      line(first, "DEMO-TEE", 2),
      line(first, "DEMO-MUG", 1),
      line(second, "DEMO-CAP", 1),
      line(unique("BAD"), "NO-SUCH-SKU", 1),
    );

    const once = await importRecords(["orders", "import", "100", file]);
    const again = await importRecords(["orders", "import", "100", file]);
    const { body } = await service.oms.get(`/orders/${first}?identify_by=order_number`);

    expect(once).toMatchObject({ status: 4, created: 2, unchanged: 0, different: [] });
    expect(once.refused).toEqual([
      { row: 5, field: "sku", message: expect.stringContaining("is not a known SKU (NO-SUCH-SKU)") },
    ]);
    expect(again).toMatchObject({ created: 0, unchanged: 2 });
    expect(
      listAt(body, "data.items").map((item) => [
        at(item, "sku"),
        at(item, "quantity"),
        at(item, "sold_price"),
      ]),
    ).toEqual([
      ["DEMO-TEE", 2, 9.5],
      ["DEMO-MUG", 1, 9.5],
    ]);
    expect(at(body, "data.customer.zip")).toBe("62701");
    await expectBalanceAndMovements(service, "DEMO-TEE");
  });

  test("an order that differs is listed without its values, and replaced with --update only", async () => {
    const order = {
      order_number: unique("DIFF"),
      shipping_method: "GROUND",
      customer,
      items: [{ sku: "DEMO-CAP", quantity: 1 }],
    };
    await importRecords(["orders", "import", "100", fileOf("first.json", JSON.stringify([order]))]);
    const changed = { ...order, customer: { ...customer, city: "Elsewhere" } };
    const file = fileOf("second.json", JSON.stringify([changed]));

    const listed = await importRecords(["orders", "import", "100", file]);
    const updated = await importRecords(["orders", "import", "100", file, "--update"]);
    const { body } = await service.oms.get(`/orders/${order.order_number}?identify_by=order_number`);

    const message = "differs from what is stored";
    expect(listed).toEqual({ ...nothing, status: 4, different: [{ row: 1, field: "customer", message }] });
    expect(updated).toEqual({ ...nothing, status: 0, updated: 1 });
    expect(at(body, "data.customer.city")).toBe("Elsewhere");
  });

  test("an order that differs and can't be replaced any more is refused, and --update is not offered", async () => {
    const order = {
      order_number: unique("DONE"),
      shipping_method: "GROUND",
      customer,
      items: [{ sku: "DEMO-CAP", quantity: 1 }],
    };
    const other = { ...order, order_number: unique("OPEN") };
    const { body } = await service.oms.post("/orders", { data: [order, other] });
    await service.oms.post("/orders/cancel", { order_id: numberAt(body, "data.0.order_id") });
    const changed = [order, other].map((one) => ({ ...one, shipping_method: "EXPRESS" }));
    const file = fileOf("done.json", JSON.stringify(changed));
    const words = ["orders", "import", "100", file];

    const listed = await importRecords(words);
    const alone = await runOperator(
      ["orders", "import", "100", fileOf("alone.json", JSON.stringify(changed.slice(0, 1))), "--yes"],
      service.db,
    );
    const updated = await importRecords([...words, "--update"]);

    const refused = [{ row: 1, field: "", message: expect.stringContaining("is Cancelled") }];
    const message = "differs from what is stored";
    const different = [{ row: 2, field: "shipping_method", message }];
    expect(listed).toEqual({ ...nothing, status: 4, refused, different });
    expect(alone.stderr).not.toContain("--update");
    expect(updated).toEqual({ ...nothing, status: 4, updated: 1, refused });
  });

  test("orders of a JSON list are read as by the API", async () => {
    const order = () => ({
      order_number: unique("JSON"),
      shipping_method: "GROUND",
      customer,
      items: [{ sku: "DEMO-CAP", quantity: 1 }],
    });
    const list = fileOf("orders.json", JSON.stringify([order(), order()]));
    const wrong = [order(), { ...order(), colour: 1 }, { ...order(), items: undefined }];
    const mixed = fileOf("mixed.json", JSON.stringify(wrong));

    const ofList = await importRecords(["orders", "import", "100", list]);
    const ofMixed = await importRecords(["orders", "import", "100", mixed]);

    expect(ofList).toEqual({ ...nothing, status: 0, created: 2 });
    expect(ofMixed).toMatchObject({
      created: 1,
      refused: [
        { row: 2, field: "colour" },
        { row: 3, field: "items", message: "is required" },
      ],
    });
  });
});

describe("an import of registries", () => {
  test("entries are exported as they were imported, and existing entries are skipped", async () => {
    const file = fileOf("stores.csv", "store_id,name", "71,Web", "72,Shop", "x,Bad");
    const first = await importRecords(["stores", "import", "101", file]);
    const again = await importRecords(["stores", "import", "101", file]);
    const out = join(dirname(file), "out.csv");
    await runOperator(["stores", "export", "101", out], service.db);
    const { body } = await service.omsOf(101).get("/stores");

    expect(first).toMatchObject({ status: 4, created: 2, unchanged: 0 });
    expect(first.refused).toEqual([
      { row: 4, field: "store_id", message: "must be a whole number of at least 1" },
    ]);
    expect(again).toMatchObject({ created: 0, unchanged: 2 });
    const renamed = fileOf("renamed.csv", "store_id,name", "72,Outlet");
    const listed = await importRecords(["stores", "import", "101", renamed]);
    const updated = await importRecords(["stores", "import", "101", renamed, "--update"]);
    const message = 'is "Shop" in the service, and "Outlet" here';
    expect(listed).toMatchObject({ status: 4, created: 0, different: [{ row: 2, field: "name", message }] });
    expect(updated).toEqual({ ...nothing, status: 0, updated: 1 });
    expect(readFileSync(out, "utf8")).toBe("store_id,name\n3,Second Shop\n71,Web\n72,Shop\n");
    expect(numberAt(body, "metadata.total_records")).toBe(3);
  });

  test("two rows about one entry are both rejected", async () => {
    const file = fileOf("twice.csv", "store_id,name", "77,Web Store", "78,Outlet", "77,Webstore");

    const { created, refused } = await importRecords(["stores", "import", "102", file]);

    expect(created).toBe(1);
    expect(refused).toEqual([
      { row: 2, field: "", message: "is also in row 4: an entry may occur once" },
      { row: 4, field: "", message: "is also in row 2: an entry may occur once" },
    ]);
  });

  test("a store's name is unique, and free again after the store is renamed", async () => {
    const run = (...words: readonly string[]) => runOperator(words, service.db);
    await run("stores", "add", "101", "75", "Old Name");

    const renamed = await run("stores", "add", "101", "75", "New Name");
    const taken = await run("stores", "add", "101", "76", "New Name");
    const freed = await run("stores", "add", "101", "76", "Old Name");
    const { stdout } = await run("stores", "list", "101", "--json");

    expect([renamed.status, taken.status, freed.status]).toEqual([0, 1, 0]);
    expect(taken.stderr).toBe("The store 75 has the name New Name already\n");
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { store_id: 75, name: "New Name" },
        { store_id: 76, name: "Old Name" },
      ]),
    );
  });

  test("bins are stored by the dozen", async () => {
    const rows = Array.from({ length: 66 }, (_, bin) => `${900 + bin},M${bin % 5},${bin},MAIN`);
    const troubled = troubledDatabase(service);
    const file = fileOf("many.csv", "bin_id,location,bin,distribution_center", ...rows);

    const { created } = await importRecords(["bins", "import", file], troubled.db);

    // Two beside them are of the log of changes.
    expect([created, troubled.transactions]).toEqual([66, 4]);
  });

  test("an interrupted import says what is done so far, and can be repeated", async () => {
    const rows = Array.from({ length: 66 }, (_, bin) => `${1000 + bin},N${Math.floor(bin / 33)},${bin},MAIN`);
    const file = fileOf("cut.csv", "bin_id,location,bin,distribution_center", ...rows);
    const interruption = new AbortController();
    const troubled = troubledDatabase(service);
    const interrupted = async () => {
      interruption.abort();
      // Longer than the command waits for its work.
      await sleep(10_000);
    };
    troubled.add({ before: interrupted }, { text: "N1" });
    const cut = await runOperator(["bins", "import", file], troubled.db, {
      interruption: interruption.signal,
    });
    await service.settled();
    const again = await importRecords(["bins", "import", file]);

    expect([cut.status, cut.stdout]).toEqual([130, ""]);
    expect(cut.stderr).toMatch(/Interrupted\.\nImporting bins: 33 of 66, .*left\nCreated 33, updated 0, /);
    expect(again.created + again.unchanged).toBe(66);
  });

  const columns = "bin_id,location,bin,distribution_center";

  test("a bin keeps its id even if the distribution center of its location is lost", async () => {
    const importBin = (row: string) => importRecords(["bins", "import", fileOf("bin.csv", columns, row)]);
    await importBin("90,E1,01,EAST");
    const center = distributionCenterLookup("EAST");
    const stored = await getItem(service.db, center);
    await lose(service.db, center);

    const { refused } = await importBin("90,C9,01,MAIN");
    await invent(service.db, center, stored ?? {});

    expect(refused.map(({ message }) => message)).toEqual([
      "The bin E1/01 has the id 90; neither can be changed",
    ]);
  });

  test("bins that conflict with the warehouse are rejected", async () => {
    const rows = [
      ...["80,C1,01,MAIN", "1,C1,02,MAIN", "81,A1,09,EAST", "82,C2,01,NOWHERE", "83,C-3,01,MAIN"],
      "84,A1,01,MAIN",
    ];

    const { created, refused } = await importRecords([
      "bins",
      "import",
      fileOf("bins.csv", columns, ...rows),
    ]);

    expect(created).toBe(1);
    expect(refused.map(({ row, message }) => `${row} ${message}`)).toEqual([
      "3 The bin A1/01 has the id 1; neither can be changed",
      "4 The location A1 is in MAIN, with all its bins",
      "5 There is no distribution center NOWHERE",
      "6 must be 1 to 50 letters and digits",
      "7 The bin A1/01 has the id 1; neither can be changed",
    ]);
  });
});
