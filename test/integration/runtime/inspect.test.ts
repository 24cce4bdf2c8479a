/** `npm start -- --inspect --verbose=json`, as a debugger and a program that reads the logs meet them. */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, inject, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { expectFree } from "../../../infra/local/index.ts";
import { temporaryFolder } from "./fixture/assembly.ts";
import { run } from "./fixture/process.ts";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const source = join(import.meta.dirname, "../../../shared/http/health.ts");
const line = readFileSync(source, "utf8")
  .split("\n")
  .findIndex((text) => text.includes("last.isWorking)"));

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
});
const attached = z.object({ sessionId: z.string() });
const received = z.object({ sessionId: z.string(), message: z.string() });
const script = z.object({ scriptId: z.string(), url: z.string() });
const paused = z.object({
  callFrames: z.array(z.object({ location: z.object({ scriptId: z.string(), lineNumber: z.int() }) })),
});

/** The source and the line that each line of a script was made of, as the map beside it says. */
function originsOf(url: string): readonly { readonly file: string; readonly line: number }[] {
  const map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
  const text = readFileSync(fileURLToPath(url), "utf8");
  return text.split("\n").map((made, number) => {
    const entry = map.findEntry(number, made.search(/\S|$/));
    return "originalSource" in entry
      ? { file: join("/", entry.originalSource), line: entry.originalLine }
      : { file: "", line: -1 };
  });
}

const isWanted = ({ file, line: at }: { readonly file: string; readonly line: number }): boolean =>
  file.endsWith("/shared/http/health.ts") && at === line;

/**
 * Debugs the threads of a process, as editors do: each begins paused, and scripts that are made of the source
 * get the breakpoint. A pause is noted by its place in the source, and ends at once.
 */
async function debug(port: number) {
  const seen: { breakpoints: number; stops: { file: string; line: number }[] } = {
    breakpoints: 0,
    stops: [],
  };
  const origins = new Map<string, ReturnType<typeof originsOf>>();
  const targets: unknown = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [target] = z.array(z.object({ webSocketDebuggerUrl: z.string() })).parse(targets);
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  let id = 0;
  const send = (method: string, params: object = {}) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
  };
  const sendTo = (sessionId: string, method: string, params: object = {}) => {
    id += 1;
    send("NodeWorker.sendMessageToWorker", { sessionId, message: JSON.stringify({ id, method, params }) });
  };
  const inThread = (sessionId: string, { method, params, result }: z.output<typeof message>) => {
    if (method === "Debugger.scriptParsed") {
      const { scriptId, url } = script.parse(params);
      if (!url.endsWith("/health/index.mjs")) return;
      const made = originsOf(url);
      origins.set(scriptId, made);
      sendTo(sessionId, "Debugger.setBreakpointByUrl", { url, lineNumber: made.findIndex(isWanted) });
    }
    if (method === "Debugger.paused") {
      const [frame] = paused.parse(params).callFrames;
      const origin = origins.get(frame?.location.scriptId ?? "")?.[frame?.location.lineNumber ?? -1];
      if (origin !== undefined) seen.stops.push(origin);
      sendTo(sessionId, "Debugger.resume");
    }
    if (result?.["breakpointId"] !== undefined) seen.breakpoints += 1;
  };
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = message.parse(JSON.parse(String(data)));
    if (method === "NodeWorker.attachedToWorker") {
      const { sessionId } = attached.parse(params);
      sendTo(sessionId, "Debugger.enable");
      sendTo(sessionId, "Runtime.runIfWaitingForDebugger");
    }
    if (method === "NodeWorker.receivedMessageFromWorker") {
      const { sessionId, message: inner } = received.parse(params);
      inThread(sessionId, message.parse(JSON.parse(inner)));
    }
  });
  send("NodeWorker.enable", { waitForDebuggerOnStart: true });
  return { seen, close: () => socket.close() };
}

test("a debugger stops at a line of a handler's source, and logs are JSON lines and nothing else", async () => {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "demo-data-loaded"), "");
  const port = await expectFree(0);
  const { child, said } = run(
    "infra/demo/main.ts",
    ...["--port", "0", "--assembly", inject("assembly"), "--data-dir", dataDir],
    ...[`--inspect=${port}`, "--verbose=json"],
  );
  onTestFinished(async () => {
    // It removes the code that it built, and waits for its debugger to leave.
    child.kill();
    await once(child, "exit");
  });
  await vi.waitUntil(() => said.stderr.includes("Ctrl-C ends it."), { timeout: 60_000 });
  const url = /The service runs at (\S+)/.exec(said.stderr)?.[1] ?? "";
  const { seen, close } = await debug(port);
  onTestFinished(close);
  // The first call loads the function, and with it the script.
  await fetch(`${url}/health`);
  await vi.waitUntil(() => seen.breakpoints === 1, { timeout: 30_000 });
  seen.stops.length = 0;

  const answer = await fetch(`${url}/health`);

  expect(answer.status).toBe(200);
  expect(seen.stops.map(isWanted)).toEqual([true]);
  await vi.waitUntil(() => said.stdout.includes("\n"));
  const lines = said.stdout
    .trim()
    .split("\n")
    .map((text): unknown => JSON.parse(text));
  expect(lines).toContainEqual(expect.objectContaining({ function: "health", level: "INFO" }));
}, 120_000);
