import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Statement } from "../../../infra/local/assembly/grants.ts";
import { isAllowed, Permissions } from "../../../infra/local/proxy/iam.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/orders";

const allow = (actions: string[], resources: string[]): Statement => ({
  effect: "Allow",
  actions,
  resources,
  ifExists: {},
});
const deny = (actions: string[], resources: string[]): Statement => ({
  ...allow(actions, resources),
  effect: "Deny",
});

const get = { action: "dynamodb:GetItem", resource: table };

describe("isAllowed", () => {
  it("denies what no statement names", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (action, resource) => !isAllowed([], { action, resource })),
    );
    expect(isAllowed([allow(["dynamodb:PutItem"], [table])], get)).toBe(false);
    expect(isAllowed([allow(["dynamodb:GetItem"], [`${table}2`])], get)).toBe(false);
  });

  it.each([
    ["exactly", "dynamodb:GetItem", table],
    ["in another case", "DynamoDB:getitem", table],
    ["by wildcards in the action", "dynamodb:Get*", table],
    ["by wildcards in the resource", "dynamodb:GetItem", "arn:aws:dynamodb:*:table/order?"],
    ["by a lone wildcard", "*", "*"],
  ])("allows what a statement names %s", (_, action, resource) => {
    expect(isAllowed([allow([action], [resource])], get)).toBe(true);
  });

  it("does not take a dot or a plus for a wildcard", () => {
    expect(isAllowed([allow(["dynamodb:G.tItem*"], ["*"])], get)).toBe(false);
  });

  it("lets a denial win over any permission", () => {
    expect(isAllowed([allow(["*"], ["*"]), deny(["dynamodb:*"], [table])], get)).toBe(false);
  });

  it("asks for a statement that names action and resource together", () => {
    const statements = [allow(["dynamodb:GetItem"], ["other"]), allow(["sqs:SendMessage"], [table])];

    expect(isAllowed(statements, get)).toBe(false);
  });
});

describe("a condition on a key, if the request has it", () => {
  const put = { action: "dynamodb:PutItem", resource: table };
  const old = { ...put, keys: { "dynamodb:ReturnValues": "ALL_OLD" } };
  const none = { ...put, keys: { "dynamodb:ReturnValues": "NONE" } };
  const blind = { ...allow([put.action], [table]), ifExists: { "dynamodb:ReturnValues": ["NONE"] } };

  it("refuses another value, and takes its own or none", () => {
    expect([put, none, old].map((permission) => isAllowed([blind], permission))).toEqual([true, true, false]);
  });

  it("is asked at each request anew", () => {
    const permissions = new Permissions([blind]);

    expect([none, old, put].map((permission) => permissions.missing([permission]))).toEqual([
      undefined,
      old,
      undefined,
    ]);
  });
});

describe("Permissions", () => {
  it("names the first permission that is missing, again and again", () => {
    const permissions = new Permissions([allow(["dynamodb:GetItem"], [table])]);
    const put = { action: "dynamodb:PutItem", resource: table };

    for (const _ of [1, 2]) {
      expect(permissions.missing([get, put])).toEqual(put);
      expect(permissions.missing([get])).toBeUndefined();
    }
  });
});
