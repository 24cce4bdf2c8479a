import { describe, expect, test } from "vitest";
import { deploymentOwner, findJob, jobList } from "../../../shared/jobs/job-repository.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { binsHold } from "../../support/business/stored.ts";
import { newProduct, newStore } from "../../support/business/world.ts";
import type { Answer } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { recountOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/**
 * By the numbers that the tables below give them: the account, another active one, one that is not activated.
 */
const accounts = new Map<unknown, number>();
const service = await sharedService({ demoData: true });
const other = { db: service.db, ...(await newStore(service)) };
const dormant = await newStore(service, { activated: false });
accounts.set(100, service.accountId).set(101, other.accountId).set(102, dormant.accountId);
await newProduct(other, { sku: "SECOND-1" });

/** A body or an answer of the tables with the accounts' ids in it. */
const meant = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, held) =>
    name === "account_id" ? (accounts.get(held) ?? held) : held,
  );

const skus = ["DEMO-TEE", "DEMO-MUG", "DEMO-CAP"];

const post = (body: unknown): Promise<Answer> => service.wms.post("/recount", meant(body));

/** How many ids this file has taken. */
let taken = 0;

/**
 * What the bins hold of the demo's products once every queued job is done, and whether any job got an id: ids
 * follow one another for all accounts together, so the next one is as it was, but for those that were taken
 * to ask.
 */
async function acceptedAndHeld() {
  await service.settled();
  const next = (await allocate(service.db, jobList, deploymentOwner, 1)).firstId;
  const ahead = await findJob(service.db, next + 1);
  const bins = await Promise.all(skus.map((sku) => binsHold(service, sku)));
  return { next: next - taken++, ahead, bins };
}

/** The answer about an entry of the tee in A1/01, which is in another place where `place` says so. */
const failing = (place: object, message: string) => ({
  account_id: 100,
  sku: "DEMO-TEE",
  location: "A1",
  bin: "01",
  ...place,
  error: true,
  message,
  procces_correction: false,
});

const good = { location: "A1", bin: "02", qty: 1 };

/** What an entry may hold at all is tested with `readRecount`. */
describe("a wrong recount is 400 and queues nothing", () => {
  test.each<[{ readonly qty?: number; readonly [name: string]: unknown }, string]>([
    [{ account_id: null }, "account_id is missing"],
    [{ account_id: 999 }, "account does not exist"],
    [{ account_id: 102 }, "account is not activated"],
    [{ sku: "NO-SUCH" }, "sku does not exist"],
    [{ sku: "demo-tee" }, "sku does not exist"],
    [{ sku: "SECOND-1" }, "sku does not exist"],
    [{ account_id: 101 }, "sku does not exist"],
    [{ location: "Z9" }, "location does not exist; known are A1, A2, B1, E1"],
    [{ location: "a1" }, "location does not exist; known are A1, A2, B1, E1"],
    [{ bin: "99" }, "bin does not exist; the location has 01, 02, 03"],
    [{ qty: -41 }, "quantity not valid: the bin will hold 40, so a change by -41 would leave it below zero"],
  ])("with %j: %s", async ({ qty = 1, ...place }, message) => {
    const failed = failing(place, message);
    const { account_id, sku, location, bin } = failed;

    const answer = await post([{ account_id, skus: [{ sku, bins: [{ location, bin, qty }] }] }]);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      message: expect.stringContaining(message),
      result: [meant(failed)],
      code: 400,
    });
  });

  test.each<[string, unknown]>([
    ["an object with data", { data: recountOf("DEMO-TEE", [good]) }],
    [
      "101 entries over several records",
      [50, 51].flatMap((count) =>
        recountOf(
          "DEMO-TEE",
          Array.from({ length: count }, () => good),
        ),
      ),
    ],
  ])("a body of %s, in recount's own failure body", async (_case, body) => {
    const answer = await post(body);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, message: expect.any(String), result: [], code: 400 });
  });

  test.each<[string, string | undefined, string]>([
    ["malformed JSON", '[{"account_id":100', "application/json"],
    ["nothing", undefined, "application/json"],
    ["a form", "account_id=100", "application/x-www-form-urlencoded"],
    ["a forbidden key", '[{"__proto__":{"account_id":100}}]', "application/json"],
  ])("%s for a body, in recount's own failure body", async (_case, body, type) => {
    const answer = await service.wms.send("POST", "/recount", body, { "content-type": type });

    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({ success: false, message: expect.any(String), result: [], code: 400 });
  });

  test("2 MB for a body, by 413 in the usual envelope", async () => {
    const answer = await post([{ account_id: 100, comment: "x".repeat(2_000_000) }]);

    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ response: { success: false, message: expect.any(String) } });
  });

  test("good and bad entries: only the bad ones are named, and none is queued", async () => {
    const answer = await post([
      {
        account_id: 100,
        skus: [
          {
            sku: "DEMO-TEE",
            bins: [
              { location: "A1", bin: "01", qty: 5 },
              { location: "A1", bin: "77", qty: 5 },
            ],
          },
          { sku: "DEMO-MUG", bins: [{ location: "A2", bin: "01", qty_in_bin: 7 }] },
          { sku: "NO-SUCH", bins: [{ location: "A2", bin: "01", qty: 1 }] },
        ],
      },
      { account_id: 102, skus: [{ sku: "DEMO-CAP", bins: [{ location: "B1", bin: "01", qty: 1 }] }] },
      { account_id: 100, skus: [{ sku: "DEMO-CAP", bins: [{ location: "B1", bin: "01", qty: 1 }] }] },
      { skus: [{ sku: "DEMO-TEE", bins: [good] }] },
    ]);

    const [of100, of102] = [100, 102].map((id) => `account ${accounts.get(id)}`);
    const places = `${of100}, SKUs DEMO-TEE, NO-SUCH; ${of102}, SKU DEMO-CAP; an account that is not named, SKU DEMO-TEE`;
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      message: `Recount not created for ${places}: bin does not exist; the location has 01, 02, 03; nothing was queued`,
      result: meant([
        failing({ bin: "77" }, "bin does not exist; the location has 01, 02, 03"),
        failing({ sku: "NO-SUCH", location: "A2" }, "sku does not exist"),
        failing({ account_id: 102, sku: "DEMO-CAP", location: "B1" }, "account is not activated"),
        failing({ account_id: null, bin: "02" }, "account_id is missing"),
      ]),
      code: 400,
    });
  });

  changeNothing(acceptedAndHeld);
});
