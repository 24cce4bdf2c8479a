/**
 * The calls about webhooks (docs/decisions.md, Webhooks). Nothing is sent to these receivers: no such hosts
 * are there.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { newDeliveryId } from "../../../shared/webhooks/delivery-repository.ts";
import { readSecrets } from "../../../shared/webhooks/secret-repository.ts";
import { saveWebhook } from "../../../shared/webhooks/webhook-repository.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { newStore } from "../../support/records/accounts.ts";
import { publishEvents } from "../../support/records/publish-events.ts";
import { unique } from "../../support/records/records.ts";
import { newWebhooks, storedWebhook } from "../../support/records/webhooks.ts";
import type { Store } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const url = "https://receiver.invalid.example/hooks";

const service = await sharedService();

const newAccount = (): Promise<Store> => newStore(service);

/** A webhook that is switched off, so that no sender sends to it. */
async function created({ oms }: Pick<Store, "oms"> = service, more: object = {}): Promise<number> {
  const { body } = await oms.post("/webhooks", { data: { url, active: false, ...more } });
  return numberAt(body, "data.webhook_id");
}

const wrong = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

describe("a webhook", () => {
  test("is created, read, listed, changed and deleted", async () => {
    const owner = await newAccount();
    const input = { url, types: ["order.*", "stock.changed"], description: "Our shop", active: false };

    const posted = await owner.oms.post("/webhooks", { data: input });
    const id = numberAt(posted.body, "data.webhook_id");
    const { secret, ...shown } = Object(at(posted.body, "data"));
    const got = await owner.oms.get(`/webhooks/${id}`);
    const listed = await owner.oms.get("/webhooks");
    const patched = await owner.oms.patch(`/webhooks/${id}`, { data: { types: ["*"], description: null } });
    const deleted = await owner.oms.send("DELETE", `/webhooks/${id}`, undefined);

    expect(posted.status).toBe(200);
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toEqual({
      ...input,
      webhook_id: id,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      last_success_at: null,
      handed_over: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: at(posted.body, "data.created_at"),
      version: 1,
    });
    expect(got.body).toEqual({ data: shown });
    expect(at(listed.body, "data")).toEqual([shown]);
    expect(at(patched.body, "data")).toMatchObject({ types: ["*"], description: null, url });
    expect(deleted.body).toEqual(patched.body);
    expect((await owner.oms.get(`/webhooks/${id}`)).status).toBe(404);
    expect(at((await owner.oms.get("/webhooks")).body, "data")).toEqual([]);
  });

  test("keeps its secret in a PATCH, which warns of another one", async () => {
    const patched = await service.oms.patch(`/webhooks/${await created()}`, { secret: "whsec_mine" });

    expect(patched.status).toBe(200);
    expect(at(patched.body, "warnings")).toEqual([
      { path: "data.secret", message: "is not a field of this call and was ignored" },
    ]);
  });

  test("that is sent back as it was read changes nothing", async () => {
    const id = await created();
    const { body } = await service.oms.get(`/webhooks/${id}`);

    const patched = await service.oms.patch(`/webhooks/${id}`, body);

    expect(patched.body).toEqual(body);
  });

  test("starts at the end of the feed, so it gets no earlier events", async () => {
    const owner = await newAccount();
    await publishEvents({ db: service.db, accountId: owner.accountId }, "order.created", "order.created");

    const id = await created(owner);

    expect(at((await owner.oms.get(`/webhooks/${id}`)).body, "data.handed_over")).toBe(2);
  });

  test.each<[string, object, string, string]>([
    ["plain http", { url: "http://example.com/" }, "data.url", "must begin with https://"],
    [
      "an address of a network",
      { url: "https://[::ffff:10.0.0.1]/" },
      "data.url",
      "must name a host that the internet reaches",
    ],
  ])("is refused with %s", async (_what, data, path, message) => {
    const { status, body } = await service.oms.post("/webhooks", { data });

    expect(status).toBe(400);
    expect(body).toEqual(wrong(path, message));
  });

  test("is refused with an unknown type, and the answer names those that there are", async () => {
    const { status, body } = await service.oms.post("/webhooks", { data: { url, types: ["order.made"] } });

    expect(status).toBe(400);
    expect(at(body, "response.message")).toMatch(
      /^data\.types\.0 must be one of \*, order\.\*, .*order\.created/,
    );
  });

  test("of an account there are at most 20, also of calls at the same time; a deleted one makes room", async () => {
    const owner = await newAccount();
    const ids = await newWebhooks({ db: service.db, accountId: owner.accountId }, 19);
    const attempts = await timesAtOnce(service, 3, () =>
      owner.oms.post("/webhooks", { data: { url, active: false } }),
    );
    const full = attempts.filter(({ status }) => status === 400);

    expect(full).toHaveLength(2);
    expect(at(full[0]?.body, "response.message")).toBe(
      "The account has 20 webhooks, which is the most; delete one first",
    );
    await owner.oms.send("DELETE", `/webhooks/${ids[0]}`, undefined);
    expect(await created(owner)).toBeGreaterThan(0);
    expect(listAt((await owner.oms.get("/webhooks")).body, "data")).toHaveLength(20);
  });
});

describe("a secret", () => {
  test("is shown once, and a retry is not shown it", async () => {
    const headers = { "Idempotency-Key": unique("webhook") };
    const owner = await newAccount();
    const call = () => owner.oms.post("/webhooks", { data: { url, active: false } }, headers);

    const [first, retry] = [await call(), await call()];

    const id = numberAt(first.body, "data.webhook_id");
    expect(retry.headers.get("idempotent-replayed")).toBe("true");
    expect(at(retry.body, "data")).toEqual({ ...Object(at(first.body, "data")), secret: null });
    expect(listAt((await owner.oms.get("/webhooks")).body, "data")).toHaveLength(1);
    expect(JSON.stringify((await owner.oms.get(`/webhooks/${id}`)).body)).not.toContain("whsec_");
  });

  test("is replaced by a rotation, at most five times within a day", async () => {
    const owner = await newAccount();
    const { body } = await owner.oms.post("/webhooks", { data: { url, active: false } });
    const id = numberAt(body, "data.webhook_id");
    const rotations = [];
    for (let count = 0; count < 5; count += 1) rotations.push(await owner.oms.post(`/webhooks/${id}/rotate`));

    const secrets = [body, ...rotations.slice(0, 4).map((one) => one.body)].map((one) =>
      at(one, "data.secret"),
    );
    expect(new Set(secrets).size).toBe(5);
    expect(rotations.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
    expect(at(rotations[4]?.body, "response.message")).toMatch(/^The webhook has had 5 secrets within a day/);
  });

  test("that signs no more is removed by the next rotation", async () => {
    const owner = await newAccount();
    const [id, { db }] = [await created(owner), service];
    await owner.oms.post(`/webhooks/${id}/rotate`);
    const { webhook } = await storedWebhook({ db, accountId: owner.accountId }, id);
    const { created_at: past } = webhook;
    const secrets = webhook.secrets.map((one) => ({ ...one, until: one.until && past }));
    await transact(db, [saveWebhook(webhook, { secrets }, past)]);

    await owner.oms.post(`/webhooks/${id}/rotate`);

    expect(await readSecrets(db, id, [1])).toEqual([]);
    expect(await readSecrets(db, id, [2, 3])).toHaveLength(2);
  });

  test("of a rotation that is retried is not shown again, and the webhook is not rotated again", async () => {
    const headers = { "Idempotency-Key": unique("rotate") };
    const id = await created();

    const first = await service.oms.post(`/webhooks/${id}/rotate`, undefined, headers);
    const retry = await service.oms.post(`/webhooks/${id}/rotate`, undefined, headers);

    expect(at(first.body, "data.secret")).toMatch(/^whsec_/);
    expect(at(retry.body, "data")).toEqual({ ...Object(at(first.body, "data")), secret: null });
  });
});

describe("replay", () => {
  test("moves the webhook back and forth, as far as events are kept", async () => {
    const owner = await newAccount();
    await publishEvents({ db: service.db, accountId: owner.accountId }, "order.created", "order.created");
    const id = await created(owner);
    const replay = (after: string) => owner.oms.post(`/webhooks/${id}/replay?after=${after}`);

    expect(at((await replay("0")).body, "data.handed_over")).toBe(0);
    expect(at((await replay("2")).body, "data.handed_over")).toBe(2);
    expect((await replay("3")).body).toEqual(
      wrong("after", "is beyond the feed's end: the latest event is 2"),
    );
    expect((await replay("-1")).status).toBe(400);
    expect((await owner.oms.post(`/webhooks/${id}/replay`)).body).toEqual(wrong("after", "is required"));
  });
});

describe("what there is not is 404", () => {
  const calls = [
    { method: "GET", path: "", body: undefined },
    { method: "PATCH", path: "", body: '{"active":true}' },
    { method: "DELETE", path: "", body: undefined },
    { method: "POST", path: "/rotate", body: undefined },
    { method: "POST", path: "/test", body: undefined },
    { method: "POST", path: "/replay?after=0", body: undefined },
    { method: "GET", path: "/deliveries", body: undefined },
    {
      method: "POST",
      path: `/deliveries/${newDeliveryId("2026-01-01T00:00:00.000Z")}/resend`,
      body: undefined,
    },
  ];

  let theirs = 0;
  beforeAll(async () => {
    theirs = await created(await newAccount());
  });

  test.each(calls)(
    "$method $path of a webhook that there is not, or is another account's",
    async ({ method, path, body }) => {
      for (const id of [String(theirs), "999999999", "0", "x", "1e3"]) {
        const answer = await service.oms.send(method, `/webhooks/${id}${path}`, body);

        expect([id, answer.status]).toEqual([id, 404]);
        expect(at(answer.body, "response.message")).toBe(`There is no webhook with webhook_id ${id}`);
      }
    },
  );

  test("a delivery that there is not, or is another webhook's", async () => {
    const id = await created();
    const unknown = newDeliveryId("2026-01-01T00:00:00.000Z");

    for (const delivery of [unknown, "x", "dlv_"]) {
      const answer = await service.oms.post(`/webhooks/${id}/deliveries/${delivery}/resend`);
      expect(answer.status).toBe(404);
    }
  });
});
