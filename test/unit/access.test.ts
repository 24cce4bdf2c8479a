import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { functions } from "../../functions/index.ts";
import { accessOf } from "../../infra/access.ts";
import { endpointOf } from "../../shared/http/endpoint.ts";
import type { FunctionContract } from "../../shared/runtime/contract.ts";
import type { Access, StatedAccess } from "../../shared/store/access.ts";
import { permitsOf, tablesIn } from "../../shared/store/permits.ts";
import type { TableName } from "../../shared/store/tables.ts";

const deployment = { deployment: "read" } as const;
const account = { ...deployment, "account#": "read", "requests#": "change" } as const;
const keys = { "idempotency#": ["read", "insert", "change"], "steps#": "read" } as const;
const stated = { path: "/x", summary: "x", request: z.object({}), response: z.object({}) } as const;
const flow = async () => ({});

const contractOf = (key: string): FunctionContract => {
  const contract = functions[key];
  if (contract === undefined) throw new Error(`there is no function ${key}`);
  return contract;
};

test.each<[string, FunctionContract, Access]>([
  [
    "a call with a body: authentication and idempotency",
    endpointOf({ ...stated, method: "POST", auth: "oms", access: { events: "read" } }, flow),
    { events: "read", identity: account, jobs: keys },
  ],
  [
    "a call without a body: authentication",
    endpointOf({ ...stated, method: "GET", auth: "oms", access: { events: "read" } }, flow),
    { events: "read", identity: account },
  ],
  ["a sign-in: nothing", endpointOf({ ...stated, method: "POST", auth: "sign-in" }, flow), {}],
  [
    "a worker of jobs: their records, and what lists need",
    contractOf("jobs/apply-recount"),
    {
      identity: deployment,
      inventory: "write",
      tallies: ["insert", "change"],
      directory: "write",
      jobs: { "job#": ["read", "insert", "change"], "steps#": "write", "idempotency#": "change" },
    },
  ],
  [
    "a worker that is woken: nothing",
    contractOf("jobs/send-webhooks"),
    { identity: deployment, webhooks: "write", secrets: ["read", "remove"], events: "read" },
  ],
  ["a page: nothing", contractOf("v2/openapi"), {}],
])("the code around a flow adds to %s", (_case, contract, expected) => {
  expect(permitsOf(accessOf(contract))).toEqual(permitsOf(expected));
});

describe("a function that writes", () => {
  const tablesOf = (access: StatedAccess) =>
    tablesIn(accessOf(endpointOf({ ...stated, method: "GET", auth: "sign-in", access }, flow)));

  test.each<[TableName, StatedAccess]>([
    ["orders", { orders: "write-records" }],
    ["inventory", { inventory: "write-records" }],
  ])("records of lists (%s) also counts and indexes them, and stores sagas", (table, access) => {
    expect(tablesOf(access)).toEqual(["identity", table, "jobs", "tallies", "directory"]);
  });

  test("all items of their tables says so as `write-records`, so that it can finish sagas", () => {
    const plain = Object.entries(functions).filter(
      ([, { access }]) => access.orders === "write" || access.inventory === "write",
    );
    expect(plain.map(([key]) => key)).toEqual([]);
  });

  test("one kind of items, or only reads records of lists, does not count or index records", () => {
    expect(tablesOf({ orders: "read", inventory: { "bin-content#": "change" } })).toEqual([
      "identity",
      "orders",
      "inventory",
    ]);
  });
});
