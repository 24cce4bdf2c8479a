import { describe, expect, test } from "vitest";
import { putMasterKey } from "../../../../infra/operator/set-up/registry.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { type Answer, at } from "../../../support/http/client.ts";
import {
  concernsEveryone,
  endpoints,
  expectRefusedWhereWrong,
  expectRefusedWithout,
} from "../../../support/http/credentials.ts";
import { customer, orderOf, recountOf, unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

type Headers = Readonly<Record<string, string>>;

const oms = "/apirest/v4/oms";
const wms = "/apirest/v4/wms";

/** Statuses of calls at once, which two instances of the function answer. */
async function statusesOf(area: string, headers: Headers): Promise<ReadonlySet<number>> {
  const caller = service.with(headers);
  const answers = await timesAtOnce(service, 12, () => caller.post(`${area}/ping`));
  return new Set(answers.map(({ status }) => status));
}

describe.each(endpoints.filter(concernsEveryone))("$method $path", (endpoint) => {
  test("refuses a request without credentials", async () => {
    await expectRefusedWithout(service, endpoint);
  });

  test("refuses wrong credentials before it looks at the body", async () => {
    await expectRefusedWhereWrong(service, endpoint);
  });
});

test("a new master key replaces the old one", async () => {
  const newKey = unique("master");
  const headers = (Key: string) => ({ userName: "manager", Key });
  const before = await statusesOf(wms, headers("demo-master-key"));

  await putMasterKey(service.db, newKey);
  const withOld = await statusesOf(wms, headers("demo-master-key"));
  const withNew = await statusesOf(wms, headers(newKey));
  await putMasterKey(service.db, "demo-master-key");

  expect(before).toEqual(new Set([200]));
  expect(withOld).toEqual(new Set([401]));
  expect(withNew).toEqual(new Set([200]));
});

describe("the log", () => {
  const lines = () => service.runtime.logs().map(({ text }) => text);

  /** Resolves when the line of this answer's request has been written. */
  async function logged(answer: Answer): Promise<string> {
    const id = answer.headers.get("x-request-id") ?? "no id";
    const line = () => lines().find((text) => text.includes(id) && text.includes('"message":"request"'));
    await expect.poll(line, { timeout: 5000 }).toBeDefined();
    return line() ?? "";
  }

  test("states request id, area, caller, route, status and duration of a request", async () => {
    const answer = await service.oms.get("/orders/999999999?identify_by=order_id");
    const line: unknown = JSON.parse(await logged(answer));

    expect(line).toMatchObject({
      request_id: answer.headers.get("x-request-id"),
      area: "oms",
      actor: "account:100",
      route: "GET /apirest/v4/oms/orders/{order}",
      status: 404,
      duration_ms: expect.any(Number),
    });
  });

  test("names the warehouse user of a request", async () => {
    const answer = await service.wms.post("/ping");
    const line: unknown = JSON.parse(await logged(answer));

    expect(line).toMatchObject({ area: "wms", actor: "user:manager", status: 200 });
  });

  test("names no caller if the credentials are invalid, nor the previous one", async () => {
    const answer = await service.with({ AccountID: "100", Key: "wrong" }).get(`${oms}/orders`);
    const line: unknown = JSON.parse(await logged(answer));

    expect(at(line, "actor")).toBeUndefined();
    expect(at(line, "status")).toBe(401);
  });

  test("holds no key and no customer data, whatever becomes of the request", async () => {
    const secret = {
      firstname: "Zaphodine",
      lastname: "Quillfeather",
      email: "zaphodine@quillfeather.example",
      phone: "+1 555 0142 733",
      address1: "42 Marmalade Crescent",
      city: "Wobbleton",
      state: "Nevermore",
      zip: "98765-4321",
      country: "Freedonia",
    };
    const marked = (more: object = {}) => ({ data: [orderOf(undefined, { customer: secret, ...more })] });
    const wrongKey = unique("guessed-key");
    const repeated = marked();

    const answers = [
      await service.oms.post("/orders", repeated),
      await service.oms.post("/orders", repeated),
      await service.oms.post("/orders", marked({ shipping_method: "NOPE" })),
      await service.oms.post("/orders", {
        data: [orderOf([], { customer: { ...customer, ...secret, email: 5 } })],
      }),
      await service.oms.send("POST", "/orders", `${JSON.stringify(repeated)}}`, {
        "content-type": "application/json",
      }),
      await service.oms.get(`/orders/${encodeURIComponent(secret.lastname)}?identify_by=order_number`),
      await service.oms.get(`/orders?filter_by=store_name&filter_value=${secret.lastname}`),
      await service.with({}).get(`/${secret.lastname}?q=${secret.firstname}`),
      await service.with({ AccountID: "100", Key: wrongKey }).post(`${oms}/orders`, repeated),
      await service.with({ userName: "manager", Key: wrongKey }).post(`${wms}/recount`, recountOf("X", [])),
    ];
    const fault = service.runtime.faults.add({
      effect: "error",
      function: "oms/orders/create-orders",
      operation: "TransactWriteItems",
      times: 50,
    });
    answers.push(await service.oms.post("/orders", marked()));
    fault.remove();
    for (const answer of answers) await logged(answer);

    expect(answers.map(({ status }) => status)).toEqual([
      200, 400, 400, 400, 400, 404, 200, 404, 401, 401, 500,
    ]);
    const text = lines().join("\n");
    const secrets = [
      ...Object.values(secret),
      wrongKey,
      "demo-oms-key-100",
      "demo-oms-key-103",
      "demo-master-key",
      "demo-password",
    ];
    for (const word of secrets) expect(text).not.toContain(word);
  });
});
