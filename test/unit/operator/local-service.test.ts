import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { noteRunning, type RunningService, runningAt } from "../../../infra/operator/cli/local-service.ts";
import { Unreachable } from "../../../infra/operator/cli/outcome.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "running-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const serviceAt = (port: number, endpoint = "http://127.0.0.1:8000"): Omit<RunningService, "pid"> => ({
  url: `http://127.0.0.1:${port}`,
  dynamodb: { endpoint, accessKeyId: "local", tables: { TABLE_ORDERS: "orders" } },
  sqs: { endpoint: "http://127.0.0.1:9000", queues: {}, deadLetterQueues: {} },
});

describe("what runs on this machine", () => {
  test("is found while it runs, and forgotten once it has ended", () => {
    const forget = noteRunning(serviceAt(3000), folder);
    const found = runningAt(undefined, folder);

    forget();

    expect(found.dynamodb.tables).toEqual({ TABLE_ORDERS: "orders" });
    expect(() => runningAt(undefined, folder)).toThrow("start the service with npm start");
  });

  test("must be named by its port if several run", () => {
    noteRunning(serviceAt(3000), folder);
    noteRunning(serviceAt(4000), folder);

    expect(runningAt("4000", folder).url).toBe("http://127.0.0.1:4000");
    expect(() => runningAt(undefined, folder)).toThrow("runs at the ports 3000, 4000: name one with --port");
  });

  test("is unreachable at a port where nothing runs, and the message names where something does", () => {
    noteRunning(serviceAt(3000), folder);

    const message = "Nothing runs at port 5000. The service runs at 3000: name that with --port.";
    expect(() => runningAt("5000", folder)).toThrow(new Unreachable(message));
  });

  test("is forgotten if its process was killed", () => {
    // No process has this number: it is above the largest that systems give.
    const left = { ...serviceAt(3000), pid: 2 ** 30 };
    writeFileSync(join(folder, "3000.json"), JSON.stringify(left));

    expect(() => runningAt(undefined, folder)).toThrow("Nothing runs on this machine");
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["is torn", '{"pid":'],
    ["was written by another version", JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:3000" })],
  ])("is forgotten if its note %s", (_case, note) => {
    writeFileSync(join(folder, "3000.json"), note);

    expect(() => runningAt(undefined, folder)).toThrow("Nothing runs on this machine");
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    "http://10.0.0.1:8000",
    "https://dynamodb.us-east-1.amazonaws.com",
    "http://127.0.0.1.example:8000",
  ])("is never elsewhere: %s", (endpoint) => {
    expect(() => noteRunning(serviceAt(3000, endpoint), folder)).toThrow("is not of this machine");
    expect(readdirSync(folder)).toEqual([]);
  });
});
