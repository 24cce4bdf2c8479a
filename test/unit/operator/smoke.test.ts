import { connect } from "node:net";
import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { settingsAt, textOf, urlOutputOf } from "../../../infra/operator/commands/deployment/smoke.ts";
import { ApiClient } from "../../../infra/operator/smoke/api-client.ts";
import { faultsOfFilter } from "../../../infra/operator/smoke/checks/observability.ts";
import { faultsOf } from "../../../infra/operator/smoke/checks/permissions.ts";
import { countedFrom, findLine, schedules } from "../../../infra/operator/smoke/checks/schedules.ts";
import { openInbox } from "../../../infra/operator/smoke/inbox.ts";
import { listen, type Receiver } from "../../../infra/operator/smoke/receiver.ts";
import { quietMs } from "../../../infra/operator/smoke/removal.ts";
import { NotChecked, Report, Stopped } from "../../../infra/operator/smoke/steps.ts";
import { settingsIn } from "../../../infra/settings.ts";
import { verbs } from "../../../shared/store/access.ts";
import type { ProbedCall } from "../../../shared/store/permission-probe.ts";

const open: Pick<Receiver, "close">[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0)) await close();
});

/** A server of this test alone. */
async function serve(...[handle]: Parameters<typeof listen>): Promise<string> {
  const receiver = await listen(handle);
  open.push(receiver);
  return receiver.origin;
}

describe("probed permissions", () => {
  const right: readonly ProbedCall[] = verbs.flatMap((verb) => [
    { verb, call: "Call", keys: "allowed", outcome: "done" },
    { verb, call: "Call", keys: "refused", outcome: "refused" },
    { verb, call: "Call", keys: "both", outcome: "refused" },
  ]);

  test("probed permissions have no fault if each verb works for allowed keys only", () => {
    expect(faultsOf(right)).toEqual([]);
  });

  test.each([
    ["allowed", "refused", "expected done but found refused"],
    ["allowed", "ValidationException", "expected done but found ValidationException"],
    ["refused", "done", "expected refused but found done"],
    ["both", "done", "expected refused but found done"],
    ["refused", "ThrottlingException", "expected refused but found ThrottlingException"],
  ] as const)(
    "probed permissions have a fault if a key that is %s has the outcome %s",
    (keys, outcome, text) => {
      const call = { verb: "change", call: "TransactWriteItems", keys, outcome } as const;

      expect(faultsOf([...right, call])).toEqual([expect.stringContaining(text)]);
    },
  );

  test("probed permissions have a fault for each verb that was not tried", () => {
    expect(faultsOf([])).toHaveLength(verbs.length);
  });
});

test("a metric filter has a fault for each line that it matches wrongly or misses", () => {
  const samples = [
    { line: "wrong", isFound: true },
    { line: "right", isFound: false },
  ];

  expect(faultsOfFilter(samples, new Set([1]))).toEqual([]);
  expect(faultsOfFilter(samples, new Set([2]))).toEqual([
    "expected it to match wrong",
    "expected it not to match right",
  ]);
});

describe("a report of steps", () => {
  const failing = async () => {
    throw new Error("it is broken");
  };

  test("a failed step stops the steps that depend on it, which report why they were not reached", async () => {
    const report = new Report(new Set(), () => undefined);

    await expect(report.take("product", failing)).rejects.toThrow(Stopped);
    const steps = report.finished();

    expect(steps.find(({ step }) => step === "product")).toMatchObject({
      state: "failed",
      detail: "it is broken",
      what_to_do: expect.stringContaining("create-products"),
    });
    expect(steps.find(({ step }) => step === "order")).toMatchObject({
      state: "not_checked",
      detail: "not reached, because the step product failed",
    });
  });

  test("the test continues after a failed step that no other depends on, and runs no skipped step", async () => {
    const lines: string[] = [];
    const report = new Report(new Set(["metrics"]), (line) => lines.push(line));

    await report.check("alarms", failing);
    await report.check("metrics", failing);
    await report.check("schedules", async () => {
      throw new NotChecked("not here");
    });

    expect(lines.map((line) => line.split("\n")[0])).toEqual([
      "FAILED      alarms: it is broken",
      "not checked metrics: skipped by --skip",
      "not checked schedules: not here",
    ]);
  });
});

describe("an unexpected response", () => {
  const answering = (text: string) => serve((_request, _body, response) => response.end(text));
  const schema = z.object({ data: z.object({ token: z.int() }) });

  test.each([
    ['{"data":{"token":"SECRET"}}', "data.token"],
    ['"SECRET"', "at its root"],
    ["SECRET", "is not JSON"],
  ])(
    "the body of an unexpected response is never shown, because it may hold a secret: %s",
    async (text, named) => {
      const client = new ApiClient(await answering(text), {});

      const error = await client.post(schema, "/", {}).catch((thrown: unknown) => String(thrown));

      expect(error).toContain(named);
      expect(error).not.toContain("SECRET");
    },
  );
});

describe("the local webhook receiver", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

  /** Posts as the service does, signed by a secret. */
  function deliver(origin: string, by: string): Promise<Response> {
    const [id, at, body] = ["msg_1", new Date(), '{"type":"order.shipped"}'];
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(by).sign(id, at, body),
    };
    return fetch(origin, { method: "POST", headers, body });
  }

  test("the receiver counts webhooks with the secret's signature, and no other requests", async () => {
    const inbox = await openInbox();
    open.push(inbox);
    inbox.expectSignedBy(secret);

    const others = [await fetch(inbox.origin), await fetch(inbox.origin, { method: "POST", body: "{}" })];
    const forged = await deliver(inbox.origin, `whsec_${Buffer.alloc(24, 8).toString("base64")}`);
    const signed = await deliver(inbox.origin, secret);

    expect([...others, forged, signed].map(({ status }) => status)).toEqual([404, 404, 401, 204]);
    expect([inbox.verified(), inbox.forged()]).toEqual([1, 1]);
  });

  test("the receiver survives an aborted request, and rejects a body that is too large", async () => {
    const origin = await serve((_request, body, response) => response.end(body));
    const { port } = new URL(origin);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\nbeginning");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();

    const large = await fetch(origin, { method: "POST", body: "x".repeat(3_000_000) }).then(
      ({ status }) => status,
      () => "closed",
    );

    expect([413, "closed"]).toContain(large);
    expect(await (await fetch(origin, { method: "POST", body: "small" })).text()).toBe("small");
  });
});

describe("the log of a schedule", () => {
  test("the log of a schedule is read beyond an empty page", async () => {
    const pages = [
      { nextToken: "2" },
      { events: [{ message: '{"message":"scheduled run"}' }], nextToken: "3" },
      {},
    ];
    let next = 0;
    const endpoint = await serve((_request, _body, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1").end(JSON.stringify(pages[next]));
      next += 1;
    });
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const client = new CloudWatchLogsClient({ region: "eu-west-1", endpoint, credentials });
    const query = { logGroupName: "group", filterPattern: "run", startTime: 0 };

    const found = await findLine(client, query, ({ message }) => message === "scheduled run");
    client.destroy();

    expect(found?.message).toBe("scheduled run");
  });

  test("the log counts from the function's last update, and at most ten minutes back", () => {
    const now = Date.parse("2026-01-01T12:00:00Z");

    expect(countedFrom(now, "2026-01-01T11:59:00.000+0000")).toBe(now - 60_000);
    expect(countedFrom(now, "2026-01-01T08:00:00.000+0000")).toBe(now - 600_000);
    expect(countedFrom(now, undefined)).toBe(now - 600_000);
  });
});

test("the summary names the account", () => {
  expect(textOf({ account_id: 9_000_001, steps: [] })).toContain("9000001");
});

describe("the URL that a smoke test calls", () => {
  const edge = (direct: "refused" | "answered") => ({
    firewall: "arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b",
    domainName: "api.example.com",
    certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/a",
    secret: "arn:aws:secretsmanager:eu-west-1:111122223333:secret:edge",
    digests: ["0".repeat(64)],
    direct,
  });

  test.each([
    [undefined, { stack: "oiw-stage", output: "ApiUrl" }],
    [edge("refused"), { stack: "oiw-edge", output: "EdgeUrl" }],
    [edge("answered"), { stack: "oiw-stage", output: "ApiUrl" }],
  ])("the URL is CloudFront's if API Gateway rejects requests that bypass it: %#", (stated, expected) => {
    expect(urlOutputOf(settingsIn((name) => (name === "edge" ? stated : undefined)))).toEqual(expected);
  });
});

describe("a smoke test's settings", () => {
  const aws = (deployment: string | undefined) => ({ target: { at: "aws", deployment } as const });

  test("the settings are those of the deployment", () => {
    const { deployment, events, eventsWindow } = settingsAt(aws("ada"), ["events=off", "eventsWindow=60"]);

    expect({ deployment, events, eventsWindow }).toEqual({
      deployment: "ada",
      events: "off",
      eventsWindow: 60,
    });
  });

  test("settings with another deployment than the command's are rejected", () => {
    expect(() => settingsAt(aws(undefined), ["deployment=ada"])).toThrow("add --deployment ada");
  });
});

test("a removal starts the next pass only after the publisher's whole batching window", () => {
  const { eventsWindow } = settingsAt({ target: { at: "aws", deployment: undefined } }, ["eventsWindow=60"]);

  expect([quietMs(0), quietMs(eventsWindow)]).toEqual([3_000, 63_000]);
});

test("a smoke test expects a run of each schedule but the monitor, which not every deployment has", () => {
  expect(schedules).toContain("jobs/sweep-jobs");
  expect(schedules).not.toContain("monitor/call-service");
});
