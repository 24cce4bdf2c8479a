import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { functions } from "../../../functions/index.ts";
import { productRecord } from "../../../shared/catalog/products/product-view.ts";
import { created } from "../../../shared/catalog/synsets/synset.ts";
import { synsetRecord } from "../../../shared/catalog/synsets/synset-view.ts";
import {
  orderRecord,
  orderWithHistory,
  presentOrder,
  presentOrderWithHistory,
} from "../../../shared/orders/order-view.ts";
import { jobRecord, presentJob } from "../../../shared/schema/job-view.ts";
import type { Correction } from "../../../shared/stock/recount/recount.ts";
import {
  correctionRecord,
  presentCorrection,
  presentQueued,
  recountFailed,
  recountFailure,
  recountResult,
} from "../../../shared/stock/recount/recount-view.ts";
import { presentKit, presentStock, stockRecord } from "../../../shared/stock/stock-view.ts";
import { createdAt, later, orderOf, productOf } from "../samples.ts";

const correctionOf = (more: Partial<Correction> = {}): Correction => ({
  account_id: 100,
  product_id: 2001,
  sku: "TEE",
  bin_id: 1,
  location: "A1",
  bin: "01",
  distribution_center_id: 1,
  distribution_center: "MAIN",
  change: { kind: "relative", quantity: -5 },
  difference: -5,
  new_quantity: 35,
  description: "counted",
  ...more,
});

describe("an order record", () => {
  const shown = z.parse(
    orderRecord,
    presentOrder(orderOf({ status: "Shipped", store: { id: 2, name: "Demo Marketplace" } })),
  );

  test("has the status by name and by code, the barcode and the cart", () => {
    expect(shown).toMatchObject({
      status: "Shipped",
      status_id: 9,
      nbtybarcode: "NB0000001001",
      cart: { id: 2, store_name: "Demo Marketplace" },
    });
  });

  test("has no cart if the order belongs to no store", () => {
    expect(presentOrder(orderOf()).cart).toBeNull();
  });

  test.each(["account_id", "picker", "picks", "created_by", "store"])("does not show %s", (field) => {
    expect(shown).not.toHaveProperty(field);
  });
});

describe("an order record with its history", () => {
  const store = { from: null, to: { id: 2, name: "Demo Marketplace" } };
  const entry = { at: later, by: "account:100", store, customer: true } as const;
  const status = { from: "Pending", to: "Cancelled" };
  const cancelled = { at: later, by: "account:100", status };
  const shown = z.parse(orderWithHistory, presentOrderWithHistory(orderOf(), [entry, cancelled]));

  test("has all that the order's record has", () => {
    expect(shown).toMatchObject(z.parse(orderRecord, presentOrder(orderOf())));
  });

  test("names and shows what changed as clients know it, and of a customer only that something did", () => {
    const cart = { from: null, to: { id: 2, store_name: "Demo Marketplace" } };
    expect(shown.history).toEqual([
      { at: later, by: "account:100", changed: ["cart", "customer"], cart },
      { at: later, by: "account:100", changed: ["status"], status },
    ]);
  });
});

describe("a product record", () => {
  test("does not show account_id", () => {
    expect(z.parse(productRecord, productOf())).not.toHaveProperty("account_id");
  });
});

describe("a stock record", () => {
  test("has what is available and not whose it is", () => {
    const level = {
      account_id: 100,
      product_id: 2001,
      sku: "TEE",
      distribution_center_id: 1,
      distribution_center: "MAIN",
      on_hand: 3,
      reserved: 5,
      incoming: 4,
    };

    expect(z.parse(stockRecord, presentStock(level))).toEqual({
      sku: "TEE",
      product_id: 2001,
      distribution_center: "MAIN",
      on_hand: 3,
      reserved: 5,
      held: 0,
      available: -2,
      incoming: 4,
    });
  });

  test("of a kit has what can be built of it, and nothing that lies anywhere", () => {
    const level = {
      sku: "KIT",
      synset_id: 4001,
      available: 3,
      limited_by: "TEE",
      distribution_center: null,
    };

    expect(z.parse(stockRecord, presentKit(level))).toEqual({
      ...level,
      product_id: null,
      on_hand: null,
      reserved: null,
      held: null,
      incoming: null,
    });
  });
});

describe("a synset record", () => {
  test.each(["account_id", "distribution_center"])("does not show %s", (field) => {
    const items = [{ sku: "TEE", product_id: 2001, quantity: 1 }];
    const made = created({ synset: "KIT", items }, { account_id: 100, synset_id: 4001, at: createdAt });
    const stock = { available: 3, limited_by: "TEE", distribution_center: "MAIN" };

    const shown = z.parse(synsetRecord, { ...made, ...stock });

    expect(shown).not.toHaveProperty(field);
    expect(shown).toMatchObject({ synset_id: 4001, available: 3, limited_by: "TEE", items });
  });
});

describe("the answer to an accepted recount", () => {
  const jobs = [
    { job_id: 7, payload: correctionOf() },
    { job_id: 8, payload: correctionOf({ sku: "MUG", bin: "02", new_quantity: 0 }) },
    { job_id: 9, payload: correctionOf({ account_id: 101 }) },
  ].map((job) => ({ ...job, by: "user:manager" }));
  const answer = z.parse(recountResult, presentQueued(jobs));

  test("has the interface's fields for each entry, and no others", () => {
    expect(answer).toMatchObject({ success: true, code: 200 });
    expect(answer.result).toHaveLength(3);
    expect(answer.result[1]).toEqual({
      account_id: 100,
      sku: "MUG",
      bin: "02",
      location: "A1",
      correction_id: 8,
      error: false,
      new_quantity: 0,
      description: "counted",
    });
  });

  test("names accounts, SKUs and correction ids in its message", () => {
    expect(answer.message).toBe(
      "Recount queued for account 100, SKUs TEE, MUG; account 101, SKU TEE; correction_id 7, 8, 9",
    );
  });
});

describe("the answer to a refused recount", () => {
  const place = { account_id: 100, sku: "TEE", bin: "01", location: "A1" };

  test("has the interface's fields for each failing entry, its spelling included", () => {
    const problem = recountFailed([{ ...place, message: "quantity not valid" }]);

    expect(recountFailure(problem)).toEqual({
      success: false,
      message: "Recount not created for account 100, SKU TEE: quantity not valid; nothing was queued",
      result: [{ ...place, error: true, message: "quantity not valid", procces_correction: false }],
      code: 400,
    });
  });

  test("names each account once, with the SKUs that are known", () => {
    const problem = recountFailed([
      { ...place, message: "bin does not exist" },
      { ...place, message: "quantity not valid" },
      { ...place, sku: " ", message: "sku is missing" },
      { account_id: 101, sku: null, bin: null, location: null, message: "skus is missing" },
      { account_id: "", sku: null, bin: null, location: null, message: "account_id is missing" },
    ]);

    expect(problem.message).toContain(
      "for account 100, SKU TEE; account 101; an account that is not named: bin does not exist",
    );
  });

  test("has an empty result if the call could not be read at all", () => {
    const problem = recountFailed([]);

    expect(recountFailure(problem)).toMatchObject({ result: [], code: 400 });
  });
});

describe("a correction record", () => {
  const jobOf = (payload: Correction) => ({
    kind: "recount" as const,
    job_id: 7,
    status: "queued" as const,
    by: "user:manager",
    queued_at: createdAt,
    check_at: createdAt,
    finished_at: null,
    attempts: 0,
    resent: 0,
    reason: null,
    payload,
  });

  test("says what was asked, by whom, and what became of it", () => {
    const shown = z.parse(correctionRecord, presentCorrection(jobOf(correctionOf())));

    expect(shown).toEqual({
      correction_id: 7,
      status: "queued",
      reason: null,
      account_id: 100,
      sku: "TEE",
      product_id: 2001,
      location: "A1",
      bin: "01",
      qty: -5,
      new_quantity: 35,
      description: "counted",
      requested_by: "user:manager",
      request_id: null,
      queued_at: createdAt,
      finished_at: null,
      attempts: 0,
    });
  });

  test("has qty_in_bin for an absolute change, and no qty", () => {
    const correction = correctionOf({ change: { kind: "absolute", quantity: 35 } });

    const shown = z.parse(correctionRecord, presentCorrection(jobOf(correction)));

    expect(shown.qty_in_bin).toBe(35);
    expect(shown).not.toHaveProperty("qty");
  });
});

describe("a job record", () => {
  const payloads: Readonly<Record<string, object>> = {
    recount: correctionOf(),
    weight: { order_id: 1001, weight: 2.5 },
    revert: { order_id: 1001, last: null },
  };
  const kinds = Object.values(functions).flatMap((one) =>
    one.type === "worker" && one.messages !== "wake-ups" ? [one.job] : [],
  );

  test.each(kinds)("tells of a job of kind %s what it is about, and nothing that is internal", (kind) => {
    const job = {
      kind,
      job_id: 7,
      status: "failed" as const,
      by: "user:manager",
      queued_at: createdAt,
      check_at: createdAt,
      finished_at: later,
      attempts: 2,
      resent: 1,
      reason: "goods left",
      payload: payloads[kind],
    };

    const shown = z.parse(jobRecord, presentJob(job));

    expect(shown).toMatchObject({
      kind,
      job_id: 7,
      status: "failed",
      reason: "goods left",
      finished_at: later,
    });
    expect(shown).toHaveProperty(kind === "recount" ? "sku" : "order_id");
    for (const field of ["by", "check_at", "resent", "payload", "last", "difference"])
      expect(shown).not.toHaveProperty(field);
  });
});
