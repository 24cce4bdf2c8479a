import { describe, expect, test } from "vitest";
import { readOptions } from "../../../infra/demo/options.ts";

describe("readOptions", () => {
  test("takes the port from the option, else from PORT, else 3000", () => {
    expect(readOptions(["--port", "4000"], { PORT: "5000" }).port).toBe(4000);
    expect(readOptions([], { PORT: "5000" }).port).toBe(5000);
    expect(readOptions([], { PORT: "" }).port).toBe(3000);
  });

  test.each(["http", "-1", "65536", "3000.5"])("refuses the port %s", (port) => {
    expect(() => readOptions([`--port=${port}`], {})).toThrow(`"${port}" is not a port`);
  });

  test("starts a receiver of webhooks only if asked to", () => {
    expect(readOptions(["--webhook-sink"], {}).webhookSink).toBe(true);
    expect(readOptions([], {}).webhookSink).toBe(false);
  });

  test.each([
    [[], "warnings"],
    [["--verbose"], "everything"],
    [["--verbose=json"], "json"],
  ])("prints logs as %j asks for", (args, printing) => {
    expect(readOptions(args, {}).printing).toBe(printing);
  });

  test("refuses a way to print logs that does not exist", () => {
    expect(() => readOptions(["--verbose=xml"], {})).toThrow('"xml" is not a way to print logs');
  });

  test.each([
    [[], undefined],
    [["--inspect"], 9229],
    [["--inspect=5000"], 5000],
  ])("lets a debugger connect as %j asks for", (args, port) => {
    expect(readOptions(args, {}).inspectPort).toBe(port);
  });

  test("refuses an option that does not exist, and names the help", () => {
    expect(() => readOptions(["--prot", "1"], {})).toThrow(/--prot.*--help/);
  });
});
