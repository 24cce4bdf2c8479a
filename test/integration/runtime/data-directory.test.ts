/**
 * What a data directory keeps from one start to the next. One directory is started three times, and killed
 * once.
 */
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Runtime, startRuntime } from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./fixture/assembly.ts";
import { Direct } from "./fixture/direct.ts";
import { keeper, worker } from "./fixture/fixture.ts";
import { becomesFree, portOf, run } from "./fixture/process.ts";
import { each, range, received } from "./fixture/versions.ts";

const soon = { timeout: 20_000 };

const { folder, remove } = temporaryFolder();
const assembly = writeAssembly(folder, { keeper, worker });
const dataDir = join(folder, "data");

let first: Runtime;
let second: ReturnType<typeof run> | undefined;
let places: ConstructorParameters<typeof Direct>[0];
let third: Runtime | undefined;

beforeAll(async () => {
  first = await startRuntime({ assembly, dataDir, streams: false, paused: true });
  const direct = new Direct(first);
  await direct.put("kept");
  await direct.send("kept-letter");
  await direct.putVersions("order#silent", [1]);
  direct.close();
  await first.stop();
  second = run("test/integration/runtime/fixture/start.ts", assembly, dataDir);
  const [line] = await once(createInterface({ input: second.child.stdout }), "line");
  places = JSON.parse(String(line));
}, 60_000);

afterAll(async () => {
  second?.child.kill("SIGKILL");
  await third?.stop();
  remove();
}, 30_000);

/** The changes received of two items, and how often the letter was seen, by the end of the third start. */
async function afterThirdStart() {
  third = await startRuntime({ assembly, dataDir });
  await third.settled();
  const direct = new Direct(third);
  const letter = await direct.seen("kept-letter");
  const [killed, silent] = [await direct.received("order#killed"), await direct.received("order#silent")];
  direct.close();
  return { letter, killed, silent };
}

async function killSecond(): Promise<void> {
  if (second === undefined) throw new Error("the second runtime has not started");
  second.child.kill("SIGKILL");
  await once(second.child, "exit");
  // DynamoDB ends by itself when its parent is killed.
  await becomesFree(portOf(places.dynamodb.endpoint));
}

// One test, because each part goes on from what the one before it left in the directory.
test("a data directory keeps items, messages and changes that were not delivered, also after a kill", async () => {
  const direct = new Direct(places);

  // Items and messages are there at the next start.
  expect(await direct.exists("kept")).toBe(true);
  await expect.poll(() => direct.seen("kept-letter"), soon).toBe(1);

  // A directory that began without streams begins them with the next start.
  await direct.putVersions("order#silent", [2]);
  await expect.poll(() => direct.received("order#silent"), soon).toEqual(["modify 2"]);

  // After a kill, what was not delivered before is delivered, and nothing from long before again.
  await direct.putVersions("order#killed", range(1, 5));
  await expect.poll(() => direct.received("order#killed"), soon).toEqual(received(1, 5));
  await direct.putVersions("order#killed", range(6, 60));
  direct.close();
  await killSecond();
  const { letter, killed, silent } = await afterThirdStart();

  expect(each(killed)).toEqual(received(1, 60));
  expect(killed.slice(0, 5)).toEqual(received(1, 5));
  expect(killed.filter((one) => received(1, 5).includes(one))).toHaveLength(5);
  expect(silent).toEqual(["modify 2"]);
  expect(letter).toBe(1);
}, 120_000);
