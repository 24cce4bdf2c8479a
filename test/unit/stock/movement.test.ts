import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { MovementReference } from "../../../shared/stock/movements/movement.ts";
import { movementRecord, presentMovement } from "../../../shared/stock/movements/movement-view.ts";
import { createdAt } from "../samples.ts";

const shown = (reference: MovementReference) =>
  z.parse(
    movementRecord,
    presentMovement({
      product_id: 2001,
      distribution_center_id: 1,
      distribution_center: "MAIN",
      on_hand: -2,
      reserved: -2,
      reason: "order_shipped",
      reference,
      by: "operator",
      request_id: "call-1",
      at: createdAt,
    }),
  );

const record = {
  at: createdAt,
  reason: "order_shipped",
  on_hand: -2,
  reserved: -2,
  distribution_center: "MAIN",
  by: "operator",
  request_id: "call-1",
};

describe("a movement record", () => {
  test.each([{ order_id: 7 }, { correction_id: 7 }, { replenishment_id: 7 }, { return_id: 7 }, {}])(
    "has the id of what it is about, and no other: %j",
    (reference) => {
      expect(shown(reference)).toStrictEqual({ ...record, ...reference });
    },
  );
});
