import { describe, expect, test } from "vitest";
import { Log } from "../../shared/runtime/log.ts";
import { context } from "./samples.ts";

function logOf(variables: Readonly<Record<string, string>> = {}) {
  const written: string[] = [];
  const log = new Log(variables, (line) => written.push(line));
  return { log, lines: () => written.map((line): unknown => JSON.parse(line)) };
}

describe("a line of the log", () => {
  test("tells the level, the message, the time, the deployment, the function and the event", () => {
    const trace = { DEPLOYMENT: "trial", _X_AMZN_TRACE_ID: "Root=1-5f-a1;Parent=9;Sampled=0" };
    const { log, lines } = logOf(trace);

    log.begin(context);
    log.note({ request_id: "request-7" });
    log.info("request", { status: 200 });

    expect(lines()).toEqual([
      {
        level: "INFO",
        message: "request",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: "trial",
        cold_start: true,
        function_name: context.functionName,
        function_request_id: context.awsRequestId,
        xray_trace_id: "1-5f-a1",
        request_id: "request-7",
        status: 200,
      },
    ]);
  });

  test("shows nothing of the event before, and that its instance is not new", () => {
    const { log, lines } = logOf();

    log.begin(context);
    log.note({ actor: "account:100" });
    log.begin({ ...context, awsRequestId: "request-2" });
    log.warn("late");

    expect(lines()).toMatchObject([{ level: "WARN", cold_start: false, function_request_id: "request-2" }]);
    expect(lines()[0]).not.toHaveProperty("actor");
  });

  test("keeps its level, message and time, whatever is logged with it", () => {
    const { log, lines } = logOf();

    log.error("failed", { level: "INFO", message: "well", timestamp: "never" });

    expect(lines()).toMatchObject([
      { level: "ERROR", message: "failed", timestamp: expect.stringContaining("T") },
    ]);
  });

  test("tells of an error what it is, where it was thrown, its causes, and what else it holds", () => {
    const { log, lines } = logOf();
    const cause = new RangeError("too far", { cause: "a text" });
    const error = Object.assign(new TypeError("wrong", { cause }), { change: "c-1" });

    log.error("failed", { error });

    expect(lines()).toMatchObject([
      {
        error: {
          name: "TypeError",
          location: expect.stringMatching(/log\.test\.ts:\d+$/),
          message: "wrong",
          stack: expect.stringMatching(/^TypeError: wrong\n {4}at /),
          change: "c-1",
          cause: { name: "RangeError", message: "too far", cause: "a text" },
        },
      },
    ]);
  });

  test("is one line and never fails, whatever is logged", () => {
    const { log, lines } = logOf();
    const circle: Record<string, unknown> = { name: "circle" };
    circle["itself"] = circle;
    const error = new Error("first\nsecond");
    error.cause = error;

    log.info("anything", { circle, big: 10n, at: new Date(0), nothing: undefined, error });

    expect(lines()).toMatchObject([
      {
        circle: { name: "circle" },
        big: "10",
        at: "1970-01-01T00:00:00.000Z",
        error: { message: "first\nsecond" },
      },
    ]);
  });
});

describe("the level from which lines are written", () => {
  const levelsWith = (variables: Readonly<Record<string, string>>) => {
    const { log, lines } = logOf(variables);
    log.info("a");
    log.warn("b");
    log.error("c");
    return lines().length;
  };

  test.each([
    [{}, 3],
    [{ LOG_LEVEL: "DEBUG" }, 3],
    [{ LOG_LEVEL: "warn" }, 2],
    [{ AWS_LAMBDA_LOG_LEVEL: "ERROR" }, 1],
    [{ AWS_LAMBDA_LOG_LEVEL: "ERROR", LOG_LEVEL: "INFO" }, 3],
    [{ LOG_LEVEL: "FATAL" }, 0],
    [{ LOG_LEVEL: "loud" }, 3],
  ])("%j lets %i of INFO, WARN and ERROR pass", (variables, count) => {
    expect(levelsWith(variables)).toBe(count);
  });
});
