import { afterEach, expect, test, vi } from "vitest";
import { Logs } from "../../../infra/local/functions/logs.ts";

afterEach(() => vi.restoreAllMocks());

test("as JSON, every line is an object with the function's name, on standard output alone", () => {
  const printed: string[] = [];
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const logs = new Logs("json");

  logs.add({ function: "oms/ping", stream: "stdout", text: '{"level":"INFO","message":"request"}' });
  logs.add({ function: "oms/ping", stream: "stderr", text: 'Warning: "odd"' });
  logs.add({ function: "oms/ping", stream: "stdout", text: "[1]" });

  expect(printed).toEqual([
    '{"function":"oms/ping","level":"INFO","message":"request"}\n',
    '{"function":"oms/ping","stream":"stderr","message":"Warning: \\"odd\\""}\n',
    '{"function":"oms/ping","stream":"stdout","message":"[1]"}\n',
  ]);
  expect(errors).not.toHaveBeenCalled();
});
