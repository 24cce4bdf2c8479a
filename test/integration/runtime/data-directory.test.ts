/** What a data directory keeps from one start to the next. One directory is started three times, and killed once. */
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Runtime, startRuntime } from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./assembly.ts";
import { Direct } from "./direct.ts";
import { keeper, worker } from "./fixture.ts";
import { becomesFree, portOf, run } from "./process.ts";
import { each, range, told } from "./versions.ts";

const soon = { timeout: 20_000 };

const { folder, remove } = temporaryFolder();
const assembly = writeAssembly(folder, { keeper, worker });
const dataDir = join(folder, "data");

let first: Runtime;
let second: ReturnType<typeof run>;
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
  second = run("test/integration/runtime/start.ts", assembly, dataDir);
  const [line] = await once(createInterface({ input: second.child.stdout }), "line");
  places = JSON.parse(String(line));
}, 60_000);

afterAll(async () => {
  second.child.kill("SIGKILL");
  await third?.stop();
  remove();
}, 30_000);

describe("a data directory", () => {
  it("keeps items and messages for the next start", async () => {
    const direct = new Direct(places);

    expect([first.dynamodb.kept, places.dynamodb.kept, await direct.exists("kept")]).toEqual([
      false,
      true,
      true,
    ]);
    await expect.poll(() => direct.seen("kept-letter"), soon).toBe(1);
    direct.close();
  });

  it("that began without streams begins them with the next start", async () => {
    const direct = new Direct(places);

    await direct.putVersions("order#silent", [2]);

    await expect.poll(() => direct.told("order#silent"), soon).toEqual(["modify 2"]);
    direct.close();
  });

  it("tells after a kill what was not told before, and nothing from long before again", async () => {
    const outside = new Direct(places);
    await outside.putVersions("order#killed", range(1, 5));
    await expect.poll(() => outside.told("order#killed"), soon).toEqual(told(1, 5));
    await outside.putVersions("order#killed", range(6, 60));
    second.child.kill("SIGKILL");
    await once(second.child, "exit");
    outside.close();
    // DynamoDB ends by itself when its parent is killed.
    await becomesFree(portOf(places.dynamodb.endpoint));

    third = await startRuntime({ assembly, dataDir });
    await third.settled();
    const after = new Direct(third);
    const all = await after.told("order#killed");
    const silent = await after.told("order#silent");
    after.close();

    expect(each(all)).toEqual(told(1, 60));
    expect(all.slice(0, 5)).toEqual(told(1, 5));
    expect(all.filter((one) => told(1, 5).includes(one))).toHaveLength(5);
    expect(silent).toEqual(["modify 2"]);
  }, 60_000);
});
