import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import {
  AwsClient,
  expectFree,
  LocalProblem,
  type Runtime,
  startRuntime,
} from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./fixture/assembly.ts";
import { echoHandler } from "./fixture/handlers.ts";
import { becomesFree, portOf, run } from "./fixture/process.ts";

const { folder, remove } = temporaryFolder();
const assembly = writeAssembly(folder, { echo: { code: echoHandler, route: "GET /" } });

afterEach(() => vi.unstubAllEnvs());
afterAll(remove);

/** What a process started here takes as its DynamoDB: to start another would cost seconds. */
const useRunningDatabase = (): unknown => vi.stubEnv("DYNAMODB_ENDPOINT", inject("dynamodbEndpoint"));

describe("stopping", () => {
  test("by Ctrl-C is a success", async () => {
    useRunningDatabase();
    const dataDir = join(folder, "started");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "demo-data-loaded"), "");
    const { child, said } = run(
      "infra/demo/main.ts",
      "--port",
      "0",
      "--assembly",
      assembly,
      "--data-dir",
      dataDir,
    );
    await expect.poll(() => said.stdout, { timeout: 30_000 }).toContain("Ctrl-C ends it.");

    child.kill("SIGINT");
    const [code] = await once(child, "exit");

    expect([code, said.stderr]).toEqual([0, ""]);
    await becomesFree(Number(/127\.0\.0\.1:(\d+)/.exec(said.stdout)?.[1]));
  }, 60_000);

  test("logs no failure of the invocations that it cancels, and keeps those of others", async () => {
    const other = temporaryFolder();
    onTestFinished(other.remove);
    const runtime = await startRuntime({
      assembly: writeAssembly(other.folder, {
        idler: { code: "export const handler = () => new Promise(() => undefined);" },
        thrower: { code: "export const handler = () => { throw new Error('thrown'); };" },
      }),
      dynamodbEndpoint: inject("dynamodbEndpoint"),
    });
    await runtime.invoke("thrower", {}).catch(String);
    const cancelled = runtime.invoke("idler", {}).catch(String);

    await runtime.stop();

    expect(await cancelled).toContain("the runtime stops");
    const failures = runtime.logs().filter(({ text }) => text.includes("Invoke failed"));
    expect(failures.map((line) => line.function)).toEqual(["thrower"]);
  }, 30_000);
});

describe("starting", () => {
  test("on a taken port fails with one line", async () => {
    useRunningDatabase();
    const other = createServer();
    const port = await expectFree(0);
    await once(other.listen(port, "127.0.0.1"), "listening");
    const { child, said } = run("infra/demo/main.ts", "--port", String(port), "--assembly", assembly);

    const [code] = await once(child, "close");
    other.close();

    expect(code).toBe(1);
    expect(said.stderr).toBe(`Port ${port} is taken. Stop what uses it, or choose another with --port.\n`);
  }, 30_000);

  test("without Java fails and names the alternatives", async () => {
    vi.stubEnv("JAVA_HOME", join(folder, "nowhere"));

    const started = startRuntime({ assembly });

    await expect(started).rejects.toThrow(/^Java is not installed.*DYNAMODB_ENDPOINT=.*docker run/);
    await expect(started).rejects.toBeInstanceOf(LocalProblem);
  }, 30_000);

  test("with a template it does not understand fails by name", async () => {
    const other = temporaryFolder();
    onTestFinished(other.remove);
    const strange = writeAssembly(other.folder, {});
    const Resources = {
      odd: { Type: "AWS::SQS::Queue", Properties: { QueueName: { "Fn::Transform": {} } } },
    };
    writeFileSync(join(strange, "App.template.json"), JSON.stringify({ Resources }));

    const dynamodbEndpoint = inject("dynamodbEndpoint");
    await expect(startRuntime({ assembly: strange, dynamodbEndpoint })).rejects.toThrow(
      'does not know the intrinsic "Fn::Transform"',
    );
  }, 30_000);
});

test("answers calls only once its tables are prepared", async () => {
  const port = await expectFree(0);
  const call = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status,
      () => "no connection",
    );
  let early: unknown;
  const prepare = async (dynamodb: Runtime["dynamodb"]) => {
    early = { answer: await call(), tables: await tablesIn(dynamodb) };
  };

  const runtime = await startRuntime({
    assembly,
    port,
    prepare,
    dynamodbEndpoint: inject("dynamodbEndpoint"),
  });
  onTestFinished(() => runtime.stop());

  expect(early).toEqual({ answer: "no connection", tables: [runtime.dynamodb.tables["TABLE_THINGS"]] });
  expect(await call()).toBe(200);
}, 30_000);

describe("a runtime", () => {
  let own: Runtime;
  beforeAll(async () => {
    own = await startRuntime({ assembly });
  }, 60_000);
  // Where the test that stops it did not run. To stop it twice does no harm.
  afterAll(() => own?.stop(), 30_000);

  test("uses a DynamoDB that already runs, and leaves no table in it", async () => {
    const { endpoint } = own.dynamodb;
    const byOption = await startRuntime({ assembly, dynamodbEndpoint: endpoint });
    vi.stubEnv("DYNAMODB_ENDPOINT", endpoint);
    const byVariable = await startRuntime({ assembly });

    const tables = [byOption, byVariable].map(({ dynamodb }) => dynamodb.tables["TABLE_THINGS"]);
    const meanwhile = await tablesIn(own.dynamodb);
    await Promise.all([byOption.stop(), byVariable.stop()]);
    const afterwards = await tablesIn(own.dynamodb);

    const ownName = expect.stringMatching(/^fixture-data-things-[0-9a-f]{8}$/);
    expect(tables).toEqual([ownName, ownName]);
    expect(new Set(tables).size).toBe(2);
    expect(meanwhile).toEqual(expect.arrayContaining(tables));
    expect(afterwards).toEqual([own.dynamodb.tables["TABLE_THINGS"]]);
  }, 60_000);

  test("leaves no table in its own database of a DynamoDB that many share", async () => {
    const shared = { assembly, dynamodbEndpoint: inject("dynamodbEndpoint") };
    const plain = await startRuntime({ ...shared, streams: false });
    const telling = await startRuntime(shared);
    const places = [plain.dynamodb, telling.dynamodb];

    const meanwhile = await Promise.all(places.map(tablesIn));
    await Promise.all([plain.stop(), telling.stop()]);
    const afterwards = await Promise.all(places.map(tablesIn));

    expect(meanwhile).toEqual(places.map(({ tables }) => [tables["TABLE_THINGS"]]));
    expect(afterwards).toEqual([[], []]);
  }, 60_000);

  test("that is stopped leaves no port behind", async () => {
    await own.invoke("echo", {});
    const ports = [own.url, own.dynamodb.endpoint, own.sqs.endpoint].map(portOf);

    await own.stop();

    for (const port of ports) expect(await expectFree(port)).toBe(port);
  }, 60_000);
});

const tablesIn = async ({ endpoint, accessKeyId }: Runtime["dynamodb"]): Promise<unknown> => {
  const client = new AwsClient(endpoint, "dynamodb", accessKeyId);
  const { body } = await client.send("ListTables", {});
  client.close();
  return body["TableNames"];
};
