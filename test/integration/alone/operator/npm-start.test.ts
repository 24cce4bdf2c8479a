/**
 * What `npm start` serves, as its users meet it. One service is started for all of it, since that takes
 * seconds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { callSample } from "../../../support/http/sampled-endpoints.ts";
import { megabytesBelow } from "../../../support/runtime/processes.ts";

/** What the documentation says of the whole service. npm itself is left out. */
const limitMegabytes = 800;

/** How many instances it keeps, so that calls of further functions take no more memory. */
const keptInstances = 12;

const root = join(import.meta.dirname, "..", "..", "..", "..");

const [guide, readme] = ["docs/guides/walkthrough.md", "README.md"].map((file) =>
  readFileSync(join(root, file), "utf8"),
);

/** The texts whose commands are run, in this order: after the README's, and again. */
const walks = [readme, guide, guide, readme].map((file = "") => stepsIn(file));

/** A command of a text, and the JSON that it says comes out. */
interface Step {
  readonly command: string;
  readonly expected: unknown;
}

function stepsIn(text: string): readonly Step[] {
  return [...text.matchAll(/```sh\n(.*?)```\s+```json\n(.*?)```/gs)].map(
    ([, command = "", expected = ""]) => ({
      command,
      expected: JSON.parse(expected),
    }),
  );
}

/** What `npm start` has printed. */
const printed: string[] = [];
/** How many orders of the demo each call found, from the first call that was answered. */
const found: unknown[] = [];

async function findOrders(): Promise<void> {
  const headers = { AccountID: "100", Key: "demo-oms-key-100" };
  const answer = await fetch(`${url}/apirest/v4/oms/orders`, { headers }).catch(() => undefined);
  if (answer !== undefined) found.push(Object(await answer.json()).metadata?.total_records ?? answer.status);
}

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const options = ["--port", String(port), "--assembly", inject("assembly"), "--webhook-sink"];
const parameters = ["start", "--", ...options];
const child = spawn("npm", parameters, { cwd: root, stdio: ["ignore", "pipe", "inherit"], detached: true });
if (child.stdout === null) throw new Error("npm start has no output");
createInterface({ input: child.stdout }).on("line", (line) => printed.push(line));
const isReady = async () => {
  await findOrders();
  return printed.some((line) => line.includes("Ctrl-C"));
};
await vi.waitUntil(isReady, { timeout: 120_000, interval: 50 });
await findOrders();

test("the service answers its first call with the demo data", () => {
  expect(found).toEqual(found.map(() => 3));
});

afterAll(interrupt);

/** Whether anything that npm start began is still there. */
function running(): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

/** Ctrl-C: the signal goes to every process of the terminal's foreground group. */
async function interrupt(): Promise<void> {
  if (child.pid === undefined || !running()) return;
  process.kill(-child.pid, "SIGINT");
  await vi.waitUntil(() => !running(), { timeout: 10_000 });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("there is no free port");
  return address.port;
}

/** How a text has its reader wait for what happens after a call. */
const pause = "sleep 2\n";
/** How long it may take here, since a machine that runs tests is busier than a reader's. */
const pauseMs = 20_000;

/** A shell as a reader has it, for all commands of a text. */
function startShell() {
  const shell = spawn("bash", ["-e"], { stdio: ["pipe", "pipe", "pipe"] });
  const mark = "=== next ===";
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const stderr = text(shell.stderr);
  /** Runs a command. One that makes two calls prints two lines. @returns the last one */
  const run = async (command: string): Promise<string> => {
    shell.stdin.write(`${command.replaceAll("http://127.0.0.1:3000", url)}\necho; echo '${mark}'\n`);
    for (let last = ""; ; ) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the shell ended: ${await stderr}`);
      if (value === mark) return last;
      if (value !== "") last = value;
    }
  };
  const end = (): Promise<string> => {
    shell.stdin.end();
    return stderr;
  };
  return { run, end };
}

/** Ids and numbers of runs: what a text shows is an example, the same one for the same number. */
const example = /\d{4,}/g;

/**
 * Compares a response with the one that a text shows, in which `"…"` stands for anything left out.
 * @param numbers the actual numbers that the text's examples stand for, as far as they are known
 * @returns the response as the text would show it
 */
function shown(expected: unknown, actual: unknown, numbers: Map<number, number>): unknown {
  if (expected === "…") return expected;
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((element, position) => shown(expected[position], element, numbers));
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null)
    return isExample(expected, actual, numbers) ? expected : actual;
  const open = "…" in expected;
  const wanted = new Map<string, unknown>(Object.entries(expected));
  const entries = Object.entries(actual).filter(([name]) => !open || wanted.has(name));
  return Object.fromEntries([
    ...entries.map(([name, value]) => [name, shown(wanted.get(name), value, numbers)]),
    ...(open ? [["…", "…"]] : []),
  ]);
}

/** Whether the values are alike but for numbers, each of which stands for one number throughout a text. */
function isExample(expected: unknown, actual: unknown, numbers: Map<number, number>): boolean {
  const [left, right] = [String(expected), String(actual)];
  if (typeof expected !== typeof actual || left.replaceAll(example, "#") !== right.replaceAll(example, "#"))
    return false;
  const found = [...right.matchAll(example)].map(([digits]) => Number(digits));
  return [...left.matchAll(example)].every(([digits], position) => {
    const number = numbers.get(Number(digits)) ?? found[position] ?? Number.NaN;
    numbers.set(Number(digits), number);
    return number === found[position];
  });
}

/**
 * Runs a step; one that begins with a pause until it answers what its text shows, for a limited time.
 * @returns the answer, and the numbers that are known then
 */
async function take(
  { command, expected }: Step,
  run: (command: string) => Promise<string>,
  numbers: Map<number, number>,
) {
  const until = performance.now() + (command.startsWith(pause) ? pauseMs : 0);
  for (;;) {
    const known = new Map(numbers);
    const answer = shown(expected, JSON.parse(await run(command.replace(pause, ""))), known);
    if (isDeepStrictEqual(answer, expected) || performance.now() > until) return { answer, known };
    await sleep(50);
  }
}

describe("the documentation", () => {
  test("walks through commands that print what it says they print, also when they are repeated", async () => {
    for (const steps of walks) {
      const shell = startShell();
      let numbers = new Map<number, number>();

      const answered: unknown[] = [];
      for (const step of steps) {
        const { answer, known } = await take(step, shell.run, numbers);
        answered.push(answer);
        numbers = known;
      }

      expect(steps.length).toBeGreaterThan(1);
      expect(answered).toEqual(steps.map(({ expected }) => expected));
      expect(await shell.end()).toBe("");
    }
  }, 120_000);

  test("prints what the receiver of webhooks got, and that it is signed", async () => {
    const lines = () => printed.filter((line) => line.startsWith("webhook "));
    await vi.waitUntil(() => lines().some((line) => line.includes("order.created")), { timeout: 30_000 });

    for (const line of lines())
      expect(line).toMatch(/^webhook {2}\S+ {2}\S+ \d+ {2}sequence \d+ {2}signature verified$/);
  });

  test("names commands that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const texts = ["README.md", ...globSync("docs/*.md", { cwd: root })].map((file) =>
      readFileSync(join(root, file), "utf8"),
    );
    const named = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name));

    expect(named.length).toBeGreaterThan(0);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  test.skipIf(process.platform !== "linux")(
    "is right that the service takes at most 800 MB, Java included, once it has run more functions than it keeps",
    async () => {
      const called = await callSample(url);

      expect(called.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
      expect(called.length).toBeGreaterThan(keptInstances);
      expect(megabytesBelow(String(child.pid))).toBeLessThan(limitMegabytes);
    },
    120_000,
  );

  test("ends its service on Ctrl-C with no process left", async () => {
    expect(running()).toBe(true);
    await interrupt();

    await expect(fetch(url)).rejects.toThrow();
  });
});
