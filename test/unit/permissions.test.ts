import { describe, expect, test } from "vitest";
import { type Allowance, faultsOf } from "../permissions.ts";

const allowance = (more: Partial<Allowance> = {}): Allowance => ({
  function: "letters/send",
  action: "dynamodb:PutItem",
  resource: "TABLE_LETTERS",
  leadingKeys: "letter#*",
  used: false,
  ...more,
});

describe("the permissions of a run", () => {
  test("are reported once each if no test needed them", () => {
    expect(faultsOf([allowance(), allowance()], [])).toEqual([
      "No test needs: PutItem TABLE_LETTERS letter#* by letters/send",
    ]);
  });

  test("are accepted if one service of the run needed them", () => {
    expect(faultsOf([allowance(), allowance({ used: true })], [])).toEqual([]);
  });

  test("are each function's own, and each kind's", () => {
    const found = [
      allowance({ used: true }),
      allowance({ function: "b" }),
      allowance({ leadingKeys: "stamp#*" }),
    ];

    expect(faultsOf(found, [])).toHaveLength(2);
  });

  test("to read an item, several or a range are one", () => {
    const found = [
      allowance({ action: "dynamodb:Query", used: true }),
      allowance({ action: "dynamodb:GetItem" }),
    ];

    expect(faultsOf(found, [])).toEqual([]);
  });

  test("can be excepted, also only if another function needs the same", () => {
    const shared = { permissions: /^PutItem TABLE_LETTERS letter/, reason: "shared", proven: true } as const;
    const found = [allowance()];

    expect(faultsOf(found, [{ permissions: /by letters\/send$/, reason: "known" }])).toEqual([]);
    expect(faultsOf(found, [shared])).toEqual([
      "No test needs: PutItem TABLE_LETTERS letter#* by letters/send",
    ]);
    expect(faultsOf([...found, allowance({ function: "b", used: true })], [shared])).toEqual([]);
  });

  test("may be needed by a run although they are excepted", () => {
    const found = [allowance({ used: true })];

    expect(faultsOf(found, [{ permissions: /by letters\/send$/, reason: "timing", proven: true }])).toEqual(
      [],
    );
  });

  test("that no function has can't be excepted", () => {
    expect(faultsOf([allowance({ used: true })], [{ permissions: /stamp/, reason: "gone" }])).toEqual([
      "No function has what is excepted: /stamp/",
    ]);
  });
});
