import { expect, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { jobRecord } from "../../../shared/picking/warehouse-job-view.ts";

test("a job can be looked up, whichever worker applies it", () => {
  const applied = Object.values(functions).flatMap((one) =>
    one.type === "worker" && one.messages !== "wake-ups" ? [one.job] : [],
  );

  const shown = jobRecord.def.options.flatMap(({ shape }) => [...shape.kind.def.values]);

  expect(shown.toSorted()).toEqual(applied.toSorted());
});
