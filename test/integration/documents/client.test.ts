import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import { packageName, writeClient } from "../../../infra/documents/client/typescript.ts";
import { referenceOf } from "../../../infra/documents/pages/model.ts";
import { samplesOf } from "../../../infra/documents/pages/samples.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { orderOf, productOf } from "../../support/records/records.ts";
import { browserHere, closePages, openPage, sharedBrowser } from "../../support/runtime/browser.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const run = promisify(execFile);
const installed = join(import.meta.dirname, "../../../node_modules");

const npm = (...command: readonly string[]) =>
  run("npm", [...command, "--offline", "--no-audit", "--no-fund", "--no-update-notifier"], { cwd: project });

/** A project that has installed the client, as its user would. */
const project = mkdtempSync(join(tmpdir(), "client-test-"));
const client = join(project, "node_modules", packageName);
writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
const [service, tarball] = await Promise.all([sharedService(), writeClient(project)]);
await npm("install", tarball);
// A checkout of the project is installed from its lock file.
await npm("ci");
afterAll(() => rmSync(project, { recursive: true }));

const originOf = async (): Promise<string> =>
  new URL((await service.browse("/apirest/v4/oms/docs")).url).origin;

/** The program of the package's README, which has the demo's credentials, with this file's own. */
async function readmeProgram(): Promise<string> {
  const readme = readFileSync(join(client, "README.md"), "utf8");
  const origin = await originOf();
  const changes: readonly (readonly [string, string])[] = [
    ["http://127.0.0.1:3000", origin],
    ["accountId = 100", `accountId = ${service.accountId}`],
    ["demo-oms-key-100", service.credentials["Key"] ?? ""],
    ["demo-master-key", demoMasterKey],
  ];
  const program = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, part = ""]) => part).join("\n");
  return changes.reduce((text, [shown, real]) => {
    expect(text).toContain(shown);
    return text.replace(shown, real);
  }, program);
}

const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // As new projects have it: openapi-fetch's declarations for CommonJS have an error.
  skipLibCheck: true,
};

/**
 * What must compile without a cast: records are sent back as they were read, and the type of an event says
 * what it holds.
 */
const typed = `
  import { events, omsClient, type Order, records, v2Client, verifyWebhook } from "${packageName}";
  const account = { url: "", accountId: 1, key: "" };
  const oms = omsClient(account);
  const sync = async (): Promise<string[]> => {
    const numbers: string[] = [];
    for await (const order of records((page) => oms.GET("/orders", { params: { query: { ...page } } })))
      await oms.PUT("/orders", { body: { data: [order] } });
    const { data } = await oms.GET("/orders/{order}", { params: { path: { order: 1 } } });
    await oms.PUT("/orders", { body: { data: [data] }, params: { header: { "Idempotency-Key": "1" } } });
    for await (const product of records((page) => oms.GET("/inventory/products", { params: { query: page } })))
      await oms.PATCH("/inventory/products", { body: { data: [product] } });
    await v2Client(account).POST("/get_orders", { body: { order_number: "1" } });
    const read = events((query) => oms.GET("/events", { params: { query } }), { after: 57 });
    for await (const event of read) {
      if (event.type === "order.created" && event.data !== null) numbers.push(event.data.order_number);
      if (event.type === "stock.changed" && event.data !== null) numbers.push(event.data.sku);
    }
    const sent = await verifyWebhook("", new Headers(), "");
    if (sent.type === "order.shipped") { const order: Omit<Order, "actions"> | null = sent.data; numbers.push(order?.status ?? ""); }
    return numbers;
  };
  void sync;
`;

/** The samples of the documentation pages, each in a function of its own. */
const samples = (): string => {
  const calls = referenceOf("all").groups.flatMap((group) =>
    group.calls.filter(({ path }) => path !== undefined),
  );
  const programs = calls
    .map((call) => samplesOf(call).typescript)
    .filter((program) => program.includes(packageName))
    .map((program) => `void (async () => {${program.replace(/^import .*?;\n/s, "")}\nreturn answer; });`);
  return [
    `import { omsClient, v2Client, wmsClient } from "${packageName}";`,
    "declare const url: string, accountId: number, key: string, userName: string;",
    ...programs,
  ].join("\n");
};

/** A program that is a CommonJS module. */
const common = `
  import { omsClient, ServiceError } from "${packageName}";
  declare const require: unknown;
  omsClient({ url: "http://127.0.0.1:1", accountId: 1, key: "", retries: { attempts: 1 } })
    .POST("/ping")
    .catch((error: unknown) => console.log(error instanceof ServiceError && error.status, typeof require));
`;

/** What must not compile, a line each. */
const wrong = [
  `import { omsClient, wmsClient } from "${packageName}";`,
  'const oms = omsClient({ url: "", accountId: 1, key: "" });',
  'const wms = wmsClient({ url: "", userName: "", key: "" });',
  'void oms.GET("/order");',
  'void wms.GET("/orders");',
  'void oms.POST("/orders/cancel", { body: { order_idd: 1 } });',
  'void oms.POST("/orders/cancel");',
  'void oms.GET("/orders", { params: { query: { status: "1" } } });',
  'void oms.GET("/orders/{order}", { params: { path: { order: "1" } } }).then(({ data }) => data.number);',
];

/** Compiles files of the project as its user would. @returns the compiler's complaints */
const compile = (...files: readonly string[]): Promise<readonly string[]> =>
  compileBy({ compilerOptions, files });

/** @param config what is in `tsconfig.json` */
async function compileBy(config: object): Promise<readonly string[]> {
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(installed, "typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: project }).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

describe("the generated client", () => {
  /** Of both programs: the compiler spends seconds on what every program needs. */
  let complaints: readonly string[];
  const complaintsOf = (file: string) => complaints.filter((line) => line.startsWith(`${file}(`));
  beforeAll(async () => {
    writeFileSync(join(project, "walk.ts"), await readmeProgram());
    writeFileSync(join(project, "wrong.ts"), wrong.join("\n"));
    writeFileSync(join(project, "typed.ts"), typed);
    writeFileSync(join(project, "common.cts"), common);
    writeFileSync(join(project, "samples.ts"), samples());
    complaints = await compile("walk.ts", "wrong.ts", "typed.ts", "common.cts", "samples.ts");
  });

  test("compiles and runs the program of its README against the service", async () => {
    const { stdout } = await run(process.execPath, [join(project, "walk.js")]);

    // Nor is anything else to blame, such as the client's declarations.
    expect(complaints.filter((line) => !complaintsOf("wrong.ts").includes(line))).toEqual([]);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^LAMP is product \d+$/),
      "Recount applied",
      "LAMP: 3 - 2 = 1",
      "WALK-1 is Pending",
      "WALK-1 is Cancelled",
      expect.stringMatching(/^400, request [\w-]+$/),
      "data.0.shipping_method is not a shipping method of the account (PIGEON); it has EXPRESS, GROUND [unknown_reference]",
      "data.0.items.0.sku is not a known SKU (LANTERN) [unknown_reference]",
    ]);
  });

  test("is a CommonJS module as well", async () => {
    const { stdout } = await run(process.execPath, [join(project, "common.cjs")]);

    expect(stdout).toBe("0 function\n");
  });

  test("lets no wrong call compile: paths, fields, parameters and answers are those of the document", () => {
    const refused = complaintsOf("wrong.ts");

    expect(refused.map((line) => /^wrong\.ts\((\d+),/.exec(line)?.[1])).toEqual([
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
    ]);
    expect(refused[2]).toContain("'order_idd' does not exist in type");
    expect(refused[5]).toContain("Property 'number' does not exist on type");
  });

  test("has the types by which the console is made", async () => {
    const app = join(import.meta.dirname, "../../../infra/documents/console/browser");
    const paths = { [packageName]: [join(client, "dist/module/index.d.ts")] };

    const complaints = await compileBy({
      extends: join(app, "tsconfig.json"),
      compilerOptions: { paths },
      include: [app],
      exclude: [],
    });

    expect(complaints).toEqual([]);
  });

  test("has an order stored once whose answer was lost on the way", async () => {
    const { accountId, credentials } = service;
    const options = JSON.stringify({ url: await originOf(), accountId, key: credentials["Key"] });
    const item = productOf();
    const order = orderOf([{ sku: item.sku, quantity: 1 }]);
    const body = JSON.stringify({ data: [order] });
    const program = `
      import { omsClient } from "${packageName}";
      const statuses = [];
      const fetch = async (request) => {
        const response = await globalThis.fetch(request);
        statuses.push(response.status, response.headers.get("idempotent-replayed"));
        if (statuses.length === 2) throw new TypeError("the answer is lost");
        return response;
      };
      const { data } = await omsClient({ ...${options}, fetch }).POST("/orders", { body: ${body} });
      console.log(JSON.stringify({ statuses, order_id: data[0].order_id }));
    `;
    await service.oms.post("/inventory/products", { data: [item] });
    writeFileSync(join(project, "lost.js"), program);

    const { stdout } = await run(process.execPath, [join(project, "lost.js")]);
    const stored = await service.oms.get(`/orders?order_number=${order.order_number}`);

    expect(at(JSON.parse(stdout), "statuses")).toEqual([200, null, 200, "true"]);
    expect(at(stored.body, "data.0.order_id")).toBe(numberAt(JSON.parse(stdout), "order_id"));
    expect(at(stored.body, "metadata.total_records")).toBe(1);
  });

  test.skipIf(browserHere === undefined)("calls the service from a page of its own origin", async () => {
    const { accountId, credentials } = service;
    const account = JSON.stringify({ accountId, key: credentials["Key"] });
    const contents = `
      import { omsClient } from "${packageName}";
      const oms = omsClient({ url: location.origin, ...${account} });
      export const pinged = oms.POST("/ping");
    `;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      format: "iife",
      globalName: "program",
      write: false,
    });
    const browser = await sharedBrowser();
    onTestFinished(() => closePages(browser));
    const { page, troubles } = await openPage(browser, await originOf(), {});
    // The lightest page: the form before the documentation of the WMS.
    await page.goto("/apirest/v4/wms/docs");

    const answer: unknown = await page.evaluate(`${outputFiles[0]?.text}; program.pinged`);

    expect(answer).toEqual({ data: { status: "success", result: "pong" } });
    expect(troubles).toEqual([]);
  });
});
