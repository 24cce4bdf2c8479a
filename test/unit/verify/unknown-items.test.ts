import { expect, test } from "vitest";
import { unknownItems } from "../../../infra/operator/verify/unknown-items.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import type { Layouts } from "../../../shared/store/layouts/layouts.ts";
import { crate } from "../../support/store/moved-kind.ts";

/** As if movements had been given another layout. */
const layouts: Layouts = { current: 2, later: [{ ...crate, name: "movement", partition: "movement" }] };

test.each([
  [true, ["left"]],
  [false, []],
])(
  "items of the previous layout are reported only after the migration (reached: %s)",
  (isReached, expected) => {
    const db = connect({}, { region: "eu-west-1" }, layouts);
    const found = unknownItems({
      accountId: undefined,
      db: { ...db, layouts: { ...db.layouts, isReached: () => isReached } },
    });

    found.look("inventory", { pk: "movement#1", sk: "1" });
    found.look("inventory", { pk: "movement#1", sk: "2", layout: 2 });

    expect(found.all().map(({ what }) => what)).toEqual(expected);
  },
);
