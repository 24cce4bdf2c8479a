import { describe, expect, test } from "vitest";
import type { Statement } from "../../../infra/local/assembly/grants.ts";
import { isAllowed, leadingKeys, Permissions } from "../../../infra/local/proxy/iam.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";

const allow = (actions: string[], resources: string[]): Statement => ({
  actions,
  resources,
  conditions: {},
});
const get = { action: "dynamodb:GetItem", resource: table };

describe("isAllowed", () => {
  test.each([
    ["exactly", "dynamodb:GetItem", table],
    ["in another case", "DynamoDB:getitem", table],
    ["by wildcards in the action", "dynamodb:Get*", table],
    ["by wildcards in the resource", "dynamodb:GetItem", "arn:aws:dynamodb:*:table/order?"],
    ["by a lone wildcard", "*", "*"],
  ])("allows what a statement names %s", (_, action, resource) => {
    expect(isAllowed([allow([action], [resource])], get)).toBe(true);
  });

  test("does not take a dot or a plus for a wildcard", () => {
    expect(isAllowed([allow(["dynamodb:G.tItem*"], ["*"])], get)).toBe(false);
  });

  test("asks for a statement that names action and resource together", () => {
    const statements = [allow(["dynamodb:GetItem"], ["other"]), allow(["sqs:SendMessage"], [table])];

    expect(isAllowed(statements, get)).toBe(false);
  });
});

describe("a condition on a key", () => {
  const scan = { action: "dynamodb:Scan", resource: table };
  const counting = {
    ...allow([scan.action], [table]),
    conditions: { StringEquals: { "dynamodb:Select": ["COUNT"] } },
  };

  test.each([
    ["allows the value that it states", ["COUNT"], true],
    ["refuses another value", ["ALL_ATTRIBUTES"], false],
    ["refuses several values of which one is another", ["COUNT", "ALL_ATTRIBUTES"], false],
    ["refuses a request that has no value", [], false],
  ])("%s", (_, values, expected) => {
    expect(isAllowed([counting], { ...scan, keys: { "dynamodb:Select": values } })).toBe(expected);
  });
});

describe("a condition on a key, if the request has it", () => {
  const put = { action: "dynamodb:PutItem", resource: table };
  const old = { ...put, keys: { "dynamodb:ReturnValues": ["ALL_OLD"] } };
  const none = { ...put, keys: { "dynamodb:ReturnValues": ["NONE"] } };
  const blind = {
    ...allow([put.action], [table]),
    conditions: { StringEqualsIfExists: { "dynamodb:ReturnValues": ["NONE"] } },
  };

  test("refuses another value, and takes its own or none", () => {
    expect([put, none, old].map((permission) => isAllowed([blind], permission))).toEqual([true, true, false]);
  });

  test("is asked at each request again", () => {
    const permissions = new Permissions([blind]);

    expect([none, old, put].map((permission) => permissions.missing([permission]))).toEqual([
      undefined,
      old,
      undefined,
    ]);
  });
});

describe("a condition on the partition keys that a request names", () => {
  const ofUsers = {
    ...allow([get.action], [table]),
    conditions: {
      "ForAllValues:StringLike": { [leadingKeys]: ["user#*", "master-key"] },
      Null: { [leadingKeys]: ["false"] },
    },
  };
  const naming = (...keys: readonly string[]) => ({ ...get, keys: { [leadingKeys]: keys } });

  test.each([
    ["one that is allowed", ["user#ada"], true],
    ["several that are", ["user#ada", "master-key"], true],
    ["one that is not, among others", ["user#ada", "credentials#ada"], false],
    ["one that only begins like a whole key", ["master-keys"], false],
    ["one that holds an allowed one", ["my-user#ada"], false],
    ["one that has a wildcard of its own", ["*"], false],
  ])("with %s: %s is %s", (_, keys, expected) => {
    expect(isAllowed([ofUsers], naming(...keys))).toBe(expected);
  });

  test("refuses a request that names none, though the values of none are all allowed", () => {
    expect(isAllowed([ofUsers], get)).toBe(false);
    expect(isAllowed([{ ...ofUsers, conditions: { ...ofUsers.conditions, Null: {} } }], get)).toBe(true);
  });

  test("asks for one statement that allows all keys of a request", () => {
    const likeStores = { "ForAllValues:StringLike": { [leadingKeys]: ["store#*"] } };
    const ofStores = { ...ofUsers, conditions: { ...ofUsers.conditions, ...likeStores } };

    expect(isAllowed([ofUsers, ofStores], naming("user#ada", "store#1"))).toBe(false);
  });
});

describe("what of a role was used", () => {
  const usedOf = (permissions: Permissions) =>
    permissions
      .allowances()
      .filter(({ used }) => used)
      .map(({ action, leadingKeys: kind }) => [action, kind]);
  const role = () =>
    new Permissions([
      {
        ...allow(["dynamodb:GetItem", "dynamodb:PutItem"], [table]),
        conditions: { "ForAllValues:StringLike": { [leadingKeys]: ["a#*", "b#*"] } },
      },
      allow(["sqs:SendMessage"], ["queue"]),
    ]);

  test("is nothing at first, and lists the action, the resource and the kind of key", () => {
    const permissions = role();

    expect(usedOf(permissions)).toEqual([]);
    expect(permissions.allowances()).toHaveLength(5);
    permissions.missing([{ ...get, keys: { [leadingKeys]: ["a#1"] } }]);
    expect(usedOf(permissions)).toEqual([["dynamodb:GetItem", "a#*"]]);
  });

  test("is nothing of a request that is refused", () => {
    const permissions = role();

    permissions.missing([
      { action: "sqs:SendMessage", resource: "queue" },
      { action: "sqs:Purge", resource: "queue" },
    ]);

    expect(usedOf(permissions)).toEqual([]);
  });
});

describe("Permissions", () => {
  test("names the first permission that is missing, again and again", () => {
    const permissions = new Permissions([allow(["dynamodb:GetItem"], [table])]);
    const put = { action: "dynamodb:PutItem", resource: table };

    for (const _ of [1, 2]) {
      expect(permissions.missing([get, put])).toEqual(put);
      expect(permissions.missing([get])).toBeUndefined();
    }
  });
});
