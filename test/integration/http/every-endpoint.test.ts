/**
 * What holds for every endpoint, whatever it does. One file asks it, because each endpoint is a function that
 * has to start in the worker where it is first called.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { limitAccount } from "../../../infra/operator/set-up/accounts.ts";
import { findAccount } from "../../../shared/accounts/account-repository.ts";
import { newStore } from "../../support/business/world.ts";
import { at, numberAt } from "../../support/http/client.ts";
import {
  concernsEveryone,
  type EndpointPath,
  endpoints,
  expectRefusedWhereWrong,
  expectRefusedWithout,
  filled,
  messages,
  rejection,
} from "../../support/http/credentials.ts";
import { productOf } from "../../support/records/records.ts";
import type { Store } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const oms = "/apirest/v4/oms";

const service = await sharedService();

describe("credentials", () => {
  const ours = endpoints.filter((endpoint) => !concernsEveryone(endpoint));

  test.each(ours)("$method $path refuses a request without credentials", async (endpoint) => {
    await expectRefusedWithout(service, endpoint);
  });

  test.each(ours.filter(({ auth }) => auth !== "sign-in"))(
    "$method $path refuses wrong credentials before it looks at the body",
    async (endpoint) => {
      await expectRefusedWhereWrong(service, endpoint);
    },
  );
});

describe("a read-only key", () => {
  let readOnly: Store;
  beforeAll(async () => {
    readOnly = await newStore(service, { key_scope: "read" });
  });
  const omsEndpoints = endpoints.filter(({ auth }) => auth === "oms");
  /** URLs of webhooks may hold what is secret, so who may not write may not read them. */
  const isRead = ({ method, path }: EndpointPath) => method === "GET" && !path.startsWith(`${oms}/webhooks`);
  const reads = omsEndpoints.filter(isRead);
  const writes = omsEndpoints.filter((one) => !isRead(one) && !one.path.endsWith("/ping"));

  test("answers the ping", async () => {
    const answer = await readOnly.oms.post("/ping");

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.result")).toBe("pong");
  });

  /** What the warehouse has, not an account: everybody finds it under the id 1. */
  const everyones: ReadonlySet<string> = new Set([`${oms}/distribution_centers/{distribution_center_id}`]);

  /** Queries that calls can't do without. */
  const queries: Readonly<Record<string, string>> = { [`${oms}/serials`]: "?sku=NONE" };

  test.each(reads.map(({ path }) => ({ path })))("may GET $path", async ({ path }) => {
    const answer = await readOnly.oms.get(filled(path).slice(oms.length) + (queries[path] ?? ""));

    // The account has no records, so what names one of an account's finds none.
    expect(answer.status).toBe(path.includes("{") && !everyones.has(path) ? 404 : 200);
  });

  test.each(writes.map(({ method, path }) => ({ method, path })))(
    "may not $method $path: 403 with the Key message",
    async ({ method, path }) => {
      const body = method === "GET" ? undefined : "{}";
      const answer = await readOnly.oms.send(method, filled(path).slice(oms.length), body, {
        "content-type": "application/json",
      });

      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(rejection(messages.key, messages.readOnly));
    },
  );

  test("stores nothing of a write that would be valid", async () => {
    const answer = await readOnly.oms.post("/inventory/products", { data: [productOf()] });
    const listed = await readOnly.oms.get("/inventory/products");

    expect(answer.status).toBe(403);
    expect(numberAt(listed.body, "metadata.total_records")).toBe(0);
  });
});

describe("a call of an account with a limit is counted", () => {
  let store: Store;
  const ofAccounts = endpoints.filter(({ auth }) => auth === "oms" || auth === "v2");

  beforeAll(async () => {
    store = await newStore(service);
    const account = await findAccount(service.db, store.accountId);
    if (account === undefined) throw new Error("the store has no account");
    // What a call takes comes back before the next one, so each finds the bucket full.
    await limitAccount(service.db, account, { per_second: 500, burst: 10 });
  });

  test.each(ofAccounts)("by $method $path", async ({ method, path }) => {
    const { headers } = await service
      .with(store.credentials)
      .send(method, filled(path), method === "GET" ? undefined : "{}");

    expect(headers.get("ratelimit")).toBe('"account";r=9;t=1');
  });
});
