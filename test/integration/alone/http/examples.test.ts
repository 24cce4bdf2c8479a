/**
 * The calls that the documentation shows, made as they are shown on the data that a new service has. Each
 * write is tried before by a dry run (docs/decisions.md, Dry runs).
 */
import { expect, test } from "vitest";
import { functions } from "../../../../functions/index.ts";
import { demoMasterKey } from "../../../../infra/demo/registry.ts";
import { operationIdOf } from "../../../../infra/documents/openapi/operations.ts";
import { takesDryRun } from "../../../../shared/http/endpoint.ts";
import { type Answer, at } from "../../../support/http/client.ts";
import { type ShownCall, shownCalls } from "../../../support/http/examples.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

type Call = Pick<ShownCall, "operationId" | "method" | "path" | "body">;

/** Comes after the calls that the document shows later: goods are picked before they are checked. */
const last = "mobileCheckShippings";

/** Sign in, which takes a code that no document can know. */
const signIns: ReadonlySet<string> = new Set(["mobileLogin", "mobileVerifyCode"]);

/** The calls with a body, one after another, and then those without; `found` looks into earlier answers. */
function* callsInOrder(found: (operationId: string, path: string) => unknown): Generator<Call> {
  const shown = shownCalls().filter(({ operationId }) => !signIns.has(operationId));
  yield* shown.filter(({ operationId }) => operationId !== last);
  yield* shown.filter(({ operationId }) => operationId === last);
  const withoutBody = (operationId: string, method: string, path: string) => {
    const oms = path.startsWith("/apiv2") ? path : `/apirest/v4/oms${path}`;
    return { operationId, method, path: oms, body: undefined };
  };
  const attribute = found("createAttributes", "data.0");
  const [owner, id, name] = ["owner_type", "owner_id", "attribute"].map((field) => at(attribute, field));
  const webhook = `/webhooks/${found("createWebhook", "data.webhook_id")}`;
  yield withoutBody("deleteAttribute", "DELETE", `/attributes/${owner}/${id}?attribute=${name}`);
  yield withoutBody("testWebhook", "POST", `${webhook}/test`);
  const delivery = found("testWebhook", "data.delivery_id");
  yield withoutBody("resendDelivery", "POST", `${webhook}/deliveries/${delivery}/resend`);
  yield withoutBody("replayEvents", "POST", `${webhook}/replay?after=0`);
  yield withoutBody("rotateSecret", "POST", `${webhook}/rotate`);
  yield withoutBody("deleteWebhook", "DELETE", webhook);
  yield withoutBody("deleteHold", "DELETE", `/inventory/holds/${found("createHolds", "data.0.hold_id")}`);
  yield withoutBody("mobileLogout", "POST", "/apiv2/mobile-logout-1");
}

const writes = Object.entries(functions).flatMap(([key, contract]) =>
  contract.type === "endpoint" && takesDryRun(contract) ? [operationIdOf(key)] : [],
);

/**
 * An answer without what differs between a dry run and the call: times, its request, and what is null in the
 * dry run.
 */
function withoutIdsAndTimes(value: unknown, dry: unknown, name = ""): unknown {
  if (dry === null && /(_id|^order_api|^nbtybarcode|^secret)$/.test(name)) return null;
  if (name === "message") return String(value).replace(/correction_id [\w, ]+/, "correction_id");
  if (name === "request_id") return null;
  if (typeof value === "string") return value.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
  if (Array.isArray(value)) return value.map((one, index) => withoutIdsAndTimes(one, at(dry, `${index}`)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [field, withoutIdsAndTimes(one, at(dry, field), field)]),
  );
}

/** Every other call of a function stores, queues or sends something. */
const isRead = (operation: string): boolean =>
  /^(?:GetItem|BatchGetItem|TransactGetItems|Query|GetSecretValue)$/.test(operation);

/** Asserts that a dry run was answered as the call. */
function expectAlike(operationId: string, dry: Answer, real: Answer): void {
  const { dry_run, ...body } = Object(dry.body);
  const shown = ({ status }: Answer, answered: unknown) => ({
    operationId,
    status,
    body: withoutIdsAndTimes(answered, dry.body),
  });
  expect(shown(dry, body)).toEqual(shown(real, real.body));
  expect({ operationId, dry_run }).toEqual({ operationId, dry_run: real.status === 200 ? true : undefined });
}

test("every call does as it is shown, and its dry run answers alike and stores, queues and sends nothing", {
  timeout: 240_000,
}, async () => {
  const mobile = await signIn(service, "manager");
  const clientOf = (path: string) => {
    if (path.startsWith("/apiv2/mobile-")) return service.with(mobile.headers);
    if (path.startsWith("/apirest/v4/wms/")) return service.with({ userName: "manager", Key: demoMasterKey });
    return service.with(service.credentials);
  };
  const send = ({ method, path, body }: Call, headers: Record<string, string> = {}) =>
    clientOf(path).send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      "content-type": "application/json",
      ...headers,
    });
  /** A dry run with the key of the call itself, which it must leave unused. */
  const tried = async (call: Call, headers?: Record<string, string>) => {
    await service.settled();
    const mark = service.runtime.mark();
    const path = `${call.path}${call.path.includes("?") ? "&" : "?"}dry_run=true`;
    const dry = await send({ ...call, path }, headers);
    const made = service.runtime.calls(mark).filter((one) => one.status === 200 && !isRead(one.operation));
    expect({ call, made }).toEqual({ call, made: [] });
    return dry;
  };
  const answers = new Map<string, Answer>();
  const found = (operationId: string, path: string) => at(answers.get(operationId)?.body, path);

  for (const call of callsInOrder(found)) {
    const { operationId } = call;
    const key = { "idempotency-key": unique("key") };
    const dry = writes.includes(operationId) ? await tried(call, key) : undefined;
    const real = await send(call, key);
    answers.set(operationId, real);
    if (dry === undefined) continue;
    expectAlike(operationId, dry, real);
    // What can't be done again is refused for the same reason.
    const again = operationId === "mobileLogout" ? undefined : await tried(call);
    if (again !== undefined && again.status !== 200) expectAlike(operationId, again, await send(call));
  }

  const refused = [...answers].filter(
    ([, { status, body }]) => status !== 200 || at(body, "warnings") !== undefined,
  );
  expect(refused).toEqual([]);
  expect(writes.filter((operationId) => !answers.has(operationId))).toEqual([]);
});
