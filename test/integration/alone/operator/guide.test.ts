/** Runs the commands that docs/operators shows, in its order, on a service with the demo data. */
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { noteRunning } from "../../../../infra/operator/cli/local-service.ts";
import { commandsOfGuide } from "../../../support/guide.ts";
import { numberAt } from "../../../support/http/client.ts";
import { customer, orderOf, productOf, recountOf } from "../../../support/records/records.ts";
import { temporaryFiles } from "../../../support/runtime/files.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";

const service = await ownService({ streams: true });
const fileOf = temporaryFiles();

/** Commands that need more: AWS, a restored table, orders of past years. Tests of their own run them. */
const elsewhere = /^preflight|^smoke|s3:|^archive show|^data restore-record .*--from/;

/** Commands that find nothing to do: the account exists, no change is set aside, and no record is lost. */
const idle: Readonly<Record<string, number>> = {
  'accounts create 100 "My Store"': 1,
  "events retry TABLE PK SK": 1,
  "events skip TABLE PK SK": 1,
  'data verify ACCOUNT --repair --accept "RECORD"': 5,
  'data verify 100 --repair --accept "entry order-number 100 1003-A" --accept "stock of product 1000 (TEE) in MAIN"': 5,
};

const address =
  "customer.firstname,customer.address1,customer.city,customer.state,customer.zip,customer.country";

/** Writes the files that the guide imports. @returns their folder, where its commands also write files */
function writeFiles(): string {
  const product = Object.entries(productOf());
  fileOf("catalogue.csv", ...[0, 1].map((part) => product.map((column) => column[part]).join()));
  fileOf("stock.csv", "sku,location,bin,quantity", "DEMO-CAP,A2,01,5");
  fileOf(
    "orders.csv",
    `order_number,shipping_method,${address},sku,quantity`,
    "GUIDE-1,GROUND,Ada,1 Test Street,Testville,TS,00001,US,DEMO-TEE,2",
  );
  return dirname(fileOf("bins.csv", "bin_id,location,bin,distribution_center", "900,G1,01,MAIN"));
}

/** Creates what the guide's examples name: orders 1003 to 1005, all cancelled, a webhook and a job. */
async function createExamples() {
  const ofGrace = orderOf(undefined, { customer: { ...customer, email: "grace@example.com" } });
  const created = await service.oms.post("/orders", { data: [orderOf(), orderOf(), ofGrace] });
  for (const order_id of [1003, 1004, 1005]) await service.oms.post("/orders/cancel", { order_id });
  const counted = await service.wms.post(
    "/recount",
    recountOf("DEMO-TEE", [{ location: "A1", bin: "01", qty: 40 }]),
  );
  await service.settled();
  await service.oms.post("/webhooks", { data: { url: "http://127.0.0.1:9/" } });
  return {
    ACCOUNT: "100",
    BEFORE: "2020-01-01",
    FILE: "new.jsonl",
    JOB: String(numberAt(counted.body, "result.0.correction_id")),
    KIND: "recount",
    LIST: "order",
    NAME: "manager",
    PK: "order#2",
    REQUEST_ID: created.headers.get("x-request-id") ?? "",
    SK: "1",
    TABLE: "orders",
    WEBHOOK: "1",
  };
}

test("every command of the guide works on the demo data as it is shown", async () => {
  const folder = writeFiles();
  const commands = commandsOfGuide(await createExamples()).filter(({ line }) => !elsewhere.test(line));
  const forget = noteRunning(service.runtime);
  const local = ["--local", "--port", new URL(service.runtime.url).port, "--yes"];

  const ended: { readonly line: string; readonly status: number; readonly stderr: string }[] = [];
  for (const { line, words } of commands) {
    const own = words.map((word) => (/\.(csv|jsonl|gz)$/.test(word) ? join(folder, word) : word));
    ended.push({ line, ...(await runOperator([...local, ...own])) });
  }
  forget();

  expect(ended.filter(({ line, status }) => status !== (idle[line] ?? 0))).toEqual([]);
  expect(commands.length).toBeGreaterThan(50);
}, 120_000);
