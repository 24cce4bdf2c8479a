import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ServiceError } from "../../../../infra/documents/client/template/typescript/failure.ts";
import { type Retries, retrying } from "../../../../infra/documents/client/template/typescript/retries.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const url = "http://service.test/orders";
const ok = () => Response.json({ data: 1 });
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response("{}", { status: code, headers });
const unreachable = () => {
  throw new TypeError("fetch failed");
};
/** An answer that ends before its body does. */
const cutShort = () =>
  new Response(new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) }));

interface Attempt {
  readonly seconds: number;
  readonly key: string | null;
  readonly body: string;
}

/** Makes a call whose attempts are answered in this order, the last answer for all that follow. */
async function call(answers: readonly (() => Response)[], init: RequestInit = {}, retries?: Retries) {
  const attempts: Attempt[] = [];
  const begin = Date.now();
  const send = async (request: Request): Promise<Response> => {
    const body = await request.text();
    attempts.push({
      seconds: (Date.now() - begin) / 1000,
      key: request.headers.get("Idempotency-Key"),
      body,
    });
    const answer = answers[attempts.length - 1] ?? answers.at(-1);
    if (answer === undefined) throw new Error("there is no answer");
    return answer();
  };
  const outcome = retrying(send, retries)(new Request(url, init)).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { attempts, outcome: await outcome, times: attempts.map(({ seconds }) => seconds) };
}

const post = (headers: Record<string, string> = {}) => ({ method: "POST", body: '{"a":1}', headers });
const statusOf = (outcome: unknown) =>
  outcome instanceof Response || outcome instanceof ServiceError ? outcome.status : outcome;

describe("a call of the client is sent again", () => {
  test.each([
    ["after 429", () => status(429)],
    ["after 500", () => status(500)],
    ["after 503", () => status(503)],
    ["where no answer came", unreachable],
    ["where the answer was cut short", cutShort],
  ])("%s, with the same body and the same Idempotency-Key", async (_case, failure) => {
    const { attempts, outcome } = await call([failure, failure, ok], post());

    expect(statusOf(outcome)).toBe(200);
    expect(attempts.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect(attempts[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  });

  test.each([400, 401, 404])("but not after %i", async (code) => {
    const { attempts, outcome } = await call([() => status(code)], post());

    expect([attempts.length, statusOf(outcome)]).toEqual([1, code]);
  });

  test("with pauses that double from half a second to ten, 8 times in all", async () => {
    const { times, outcome } = await call([() => status(503)], post());

    expect(times).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 25.5, 35.5]);
    expect(statusOf(outcome)).toBe(503);
  });

  test("no sooner than Retry-After says, in seconds or as a date", async () => {
    const inTen = new Date(Date.now() + 13_000).toUTCString();
    const late = [() => status(429, { "retry-after": "3" }), () => status(429, { "retry-after": inTen }), ok];

    const { times } = await call(late);

    expect(times[1]).toBe(3);
    expect(times[2]).toBeGreaterThan(11.9);
    expect(times[2]).toBeLessThanOrEqual(13);
  });

  test("not at all if Retry-After asks for more than the longest pause", async () => {
    const { attempts, outcome } = await call([() => status(429, { "retry-after": "61" })]);

    expect([attempts.length, statusOf(outcome)]).toEqual([1, 429]);
  });

  test("as often and after such pauses as the caller says", async () => {
    const once = await call([unreachable], {}, { attempts: 1 });
    const patient = await call([() => status(500)], {}, { attempts: 4, maxPauseSeconds: 1 });

    expect(once.attempts).toHaveLength(1);
    expect(patient.times).toEqual([0, 0.5, 1.5, 2.5]);
  });
});

describe("an Idempotency-Key of the client", () => {
  test("differs for each call, and is the caller's own if one was sent", async () => {
    const keys = [];
    for (const headers of [{}, {}, { "Idempotency-Key": "mine" }])
      keys.push((await call([ok], post(headers))).attempts[0]?.key);

    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
  });

  test("is sent with no GET, and with no DELETE, which is sent again after 429 only", async () => {
    const read = await call([unreachable, ok]);
    const refused = await call([() => status(429), ok], { method: "DELETE" });
    const failed = await call([() => status(503), ok], { method: "DELETE" });
    const lost = await call([unreachable, ok], { method: "DELETE" });

    expect(read.attempts.map(({ key }) => key)).toEqual([null, null]);
    expect(refused.attempts.map(({ key }) => key)).toEqual([null, null]);
    expect([statusOf(refused.outcome), statusOf(failed.outcome), statusOf(lost.outcome)]).toEqual([
      200, 503, 0,
    ]);
  });
});

describe("a call of the client that fails", () => {
  test("for want of an answer is a ServiceError that says which call it was, and why", async () => {
    const { outcome } = await call([unreachable], post(), { attempts: 2 });

    expect(outcome).toBeInstanceOf(ServiceError);
    expect(outcome).toMatchObject({
      status: 0,
      message: `No answer to POST ${url}`,
      errors: [],
      cause: new TypeError("fetch failed"),
    });
  });

  test("because the caller ends it throws the caller's reason, and is sent no more", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    let attempts = 0;
    // An attempt that no other follows: a pause would look at the signal, too.
    const hanging = retrying(
      ({ signal }) => {
        attempts += 1;
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
      { attempts: 1 },
    );

    const outcome = hanging(new Request(url, { signal: controller.signal })).catch((error: unknown) => error);
    controller.abort(reason);
    await vi.runAllTimersAsync();

    expect(await outcome).toBe(reason);
    expect(attempts).toBe(1);
  });

  test("because the caller ends it in a pause throws the caller's reason, too, and is sent no more", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 1000);

    const { times, outcome } = await call([() => status(503)], { signal: controller.signal });

    expect(outcome).toBe(reason);
    expect(times).toEqual([0, 0.5]);
  });
});
