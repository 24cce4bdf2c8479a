import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { addCommands } from "../../../infra/operator/commands/index.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { allCommands, nowhere, runOperator } from "../../support/store/operator.ts";

/** Runs a command without tables: it must reject invalid values before it reads any. */
const run = (words: readonly string[]) => runOperator(words, nowhere);

describe("the values of a command", () => {
  test.each<[readonly string[], string]>([
    [["orders", "release"], "missing required argument 'order-id'"],
    [["orders", "release", "DEMO-1"], "ORDER-ID must be a whole number of at least 1"],
    [["orders", "ship", "0", "--yes"], "ORDER-ID must be a whole number of at least 1"],
    [["orders", "ship", "1000", "--tracking", "x".repeat(101)], "--tracking must be 1 to 100 characters"],
    [["orders", "ship", "1000", "--carrier", "x".repeat(101)], "--carrier must be 1 to 100 characters"],
    [["manufacture-orders", "put", "x", "M", "TEE", "1"], "ACCOUNT must be a whole number of at least 1"],
    [["manufacture-orders", "put", "100", "M".repeat(101), "TEE", "1"], "NUMBER must be 1 to 100 characters"],
    [["manufacture-orders", "put", "100", "M", "", "1"], "SKU must be 1 to 100 characters"],
    [
      ["manufacture-orders", "put", "100", "M", "TEE", "1.5"],
      "QUANTITY must be a whole number from 1 to 1000000000",
    ],
    [
      ["manufacture-orders", "put", "100", "M", "TEE", "1000000001"],
      "QUANTITY must be a whole number from 1",
    ],
    [
      ["manufacture-orders", "put", "1", "M", "T", "1", "--status", "pending"],
      "--status must be one of Pending, Processing",
    ],
    [
      ["manufacture-orders", "put", "1", "M", "T", "1", "--due-date", "2026-02-30"],
      "--due-date must be a date such as 2026-01-31",
    ],
    [["stock", "export", "100", "levels.csv"], "--as-of is required: it must be a date such as 2026-01-31"],
    [["lists", "rebuild", "orders"], "NAME must be one of order, product, stock, bin-content, alias"],
    [["history", "export", "2020-02-30", "past.jsonl"], "BEFORE must be a date such as 2026-01-31"],
    [["history", "export", "2020-01-01"], "missing required argument 'file'"],
    [
      ["history", "drop", "2020-01-01", "--yes"],
      "--exported is required: it must be the file that `history export` wrote for this date",
    ],
    [["history", "drop", "9999-01-01", "--yes"], "BEFORE must be at least two years ago"],
    [["accounts", "limit", "100", "501", "20"], "PER-SECOND must be a whole number from 1 to 500"],
    [["accounts", "limit", "100", "10"], "missing required argument 'at-once'"],
    [["accounts", "limit", "100", "10", "10001"], "AT-ONCE must be a whole number from 1 to 10000"],
    [["users", "create", "ada\u200b"], "NAME must be 1 to 100 characters, none of them invisible"],
    [["keys", "scope", "100", "admin"], "SCOPE must be one of write, read"],
    [["suppliers", "add", "100", "Acme\ud800"], "NAME must be 1 to 255 characters of well-formed text"],
    [["stores", "add", "100", "nine", "Shop"], "STORE-ID must be a whole number of at least 1"],
    [["data", "restore-record", "orders", "1", "--from", "t"], "KIND must be one of order, "],
    [
      ["data", "restore-record", "order", "1"],
      "--from is required: it must be the name of the restored table",
    ],
    [["jobs", "list", "--limit", "1001"], "--limit must be from 1 to 1000"],
    [["users", "permit", "ada", "maybe"], "WMS must be one of yes, no"],
    [["accounts", "create", "1", "x", "--frozen"], "unknown option '--frozen'"],
    [["bins", "import", "bins.csv", "--update"], "unknown option '--update'"],
    [["suppliers", "import", "100", "suppliers.csv", "--update"], "unknown option '--update'"],
    [["customers", "erase"], "ORDERS or --email must be specified, but not both"],
    [["customers", "erase", "1003", "--email", "ada@example.com"], "ORDERS or --email must be specified"],
    [["customers", "erase", "1003", "--account", "100"], "--account goes with --email"],
    [["smoke", "--listen", "70000"], "--listen must be a port from 1 to 65535"],
    [["smoke", "--skip", "alarms", "order"], "--skip must be among events, delivery"],
    [["smoke", "--url", "here"], "--url must be a URL"],
    [["smoke", "--url", "http://127.0.0.1:1"], "MASTER_KEY must hold the warehouse's key"],
    [["smoke", "--remove", "100"], "--remove must be the id of a smoke-test account: 9000000 to 9999999"],
  ])("an invalid value or argument is rejected: %j", async (words, message) => {
    const { status, stdout, stderr } = await run(words);

    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("the tables and queues that a command works on", () => {
  test.each<[string, readonly string[], string]>([
    [
      "both a deployment and the local runtime",
      ["accounts", "list", "--local", "--deployment", "trial"],
      "--local and --deployment name two places",
    ],
    ["a port without --local", ["accounts", "list", "--port", "3000"], "--port goes with --local"],
    ["a variable that named a table in release 1.0.0", ["accounts", "list"], "TABLE_ORDERS is set"],
  ])("a command is rejected if they are ambiguous: %s", async (_case, words, message) => {
    const { status, stdout, stderr } = await runOperator(words, undefined, {
      variables: { TABLE_ORDERS: "restored" },
    });

    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("the confirmation of commands", () => {
  test.each([
    [["products", "import", "100", "x.csv"]],
    [["stock", "import", "100", "x.csv"]],
    [["orders", "import", "100", "x.csv"]],
    [["customers", "erase", "1003"]],
    [["data", "restore-record", "order", "1003", "--from", "restored"]],
    [["data", "verify", "--repair"]],
    [["events", "align", "100"]],
    [["history", "drop", "2020-01-01", "--exported", "past.jsonl.gz"]],
    [["keys", "rotate", "100"]],
    [["master-key", "rotate"]],
    [["orders", "archive", "--before", "2020-01-01", "--to", "orders.jsonl.gz"]],
    [["orders", "ship", "1000"]],
    [["users", "password", "ada"]],
    [["users", "two-factor", "ada"]],
    [["events", "skip", "orders", "order#2", "000000001000"]],
    [["smoke", "--remove", "9000001"]],
  ])("an irreversible command is rejected without a terminal unless --yes is given: %j", async (words) => {
    const { status, stdout, stderr } = await run(words);

    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(" This changes the service at http://127.0.0.1:1 on this machine. ");
    expect(stderr).toContain("This can't be undone. Run it in a terminal, or add --yes.");
  });

  test.each([
    [["accounts", "deactivate", "100"]],
    [["keys", "scope", "100", "read"]],
    [["users", "deactivate", "ada"]],
    [["users", "permit", "ada", "no"]],
    [["users", "revoke", "ada"]],
  ])("a command that shuts somebody out asks, too: %j", async (words) => {
    const { status, stderr } = await run(words);

    expect(status).toBe(2);
    expect(stderr).toMatch(/ This changes the service .* Run it in a terminal, or add --yes\.\n$/);
    expect(stderr).not.toContain("undone");
  });
});

test("an export that fails leaves no file, which would be in the way of the next one", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "export-")), "past.jsonl");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));

  const [failed, again] = [
    await run(["history", "export", "2020-01-01", file]),
    await run(["history", "export", "2020-01-01", file]),
  ];

  expect([failed.status, again.status, existsSync(file)]).toEqual([3, 3, false]);
});

test.each([
  ["past.jsonl", " exists already, and is not overwritten: name another file, or move it away"],
  ["nowhere/past.jsonl", " can't be opened: there is no such file or folder"],
  [".", " exists already, and is not overwritten: name another file, or move it away"],
])("an export to %s says what to do, and changes nothing", async (name, problem) => {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "past.jsonl"), "kept");
  const file = join(folder, name);

  const { status, stderr } = await run(["history", "export", "2020-01-01", file]);

  expect([status, stderr]).toEqual([2, `${file}${problem}\n`]);
  expect(readFileSync(join(folder, "past.jsonl"), "utf8")).toBe("kept");
});

/** The name of the command of these words; undefined if they are no command. */
async function askedBy(words: readonly string[]): Promise<string | undefined> {
  let asked: string | undefined;
  const program = new Command("operator")
    .option("--json")
    .option("--local")
    .option("-y, --yes")
    .exitOverride();
  addCommands(program, async ({ name }) => {
    asked = name;
  });
  await program.parseAsync([...words], { from: "user" });
  return asked;
}

describe("the end of a command", () => {
  test("an error is JSON on the output with --json, and nothing else is printed", async () => {
    const ended = [
      await run(["--json", "orders", "release", "x"]),
      await run(["orders", "release", "--json"]),
      await run(["--json", "nonsense"]),
    ];

    for (const { status, stdout, stderr } of ended) {
      expect([status, stderr]).toEqual([2, ""]);
      expect(JSON.parse(stdout)).toEqual({
        error: { outcome: "usage", status: 2, message: expect.any(String) },
      });
    }
  });

  test("a service that can't be reached, or is too busy, is status 3", async () => {
    const { store, db } = faultyStore();
    store.fault = () => new Busy();

    const unreached = await run(["accounts", "list"]);
    const busy = await runOperator(["accounts", "list"], {
      ...db,
      layouts: nowhere.layouts,
    });

    expect([unreached.status, busy.status]).toEqual([3, 3]);
  });
});

test.each([
  [["keys", "rotate", "999"], "There is no account 999\n"],
  [["accounts", "deactivate", "999"], "There is no account 999\n"],
  [["users", "password", "ada"], "There is no user ada\n"],
  [["orders", "ship", "999"], "There is no order with order_id 999\n"],
])("nobody is asked about a record that does not exist: %j", async (words, message) => {
  const { db } = faultyStore();

  const { status, stderr } = await runOperator(words, { ...db, layouts: nowhere.layouts }, { typed: "y" });

  expect([status, stderr]).toEqual([1, message]);
});

describe("a secret that is shown once", () => {
  test("is shown although the entry in the log of changes can't be completed", async () => {
    const { store, db } = faultyStore();
    const operate = (...words: readonly string[]) =>
      runOperator([...words, "--yes"], { ...db, layouts: nowhere.layouts });
    await operate("accounts", "create", "100", "Demo");
    store.fault = (command, input) =>
      command === "TransactWriteItems" && input.includes("ended_at") ? new Error("no log") : undefined;

    const { status, stdout, stderr } = await operate("keys", "rotate", "100");

    expect([status, stdout]).toEqual([0, expect.stringMatching(/Key \S+\nThe key is not shown again/)]);
    expect(stderr).toContain("its entry in the log of changes is not complete: Error: no log");
  });
});

test("the version is that of the release", async () => {
  expect(await run(["--version"])).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` });
});

describe("help", () => {
  test("help lists all commands, and the subcommands of a command", async () => {
    const { status, stdout } = await run(["--help"]);
    const ofAccounts = await run(["accounts", "--help"]);

    expect(status).toBe(0);
    for (const name of allCommands().keys()) expect(stdout).toContain(`  ${name.split(" ")[0]} `);
    expect(ofAccounts.stdout).toMatch(/list .*\n.*create .*\n/);
  });

  test.each([...allCommands().keys()])(
    "the help of %s has examples that are valid commands",
    async (name) => {
      const { stdout } = await run([...name.split(" "), "--help"]);

      const examples = stdout.split("Examples:\n")[1]?.trimEnd().split("\n") ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(example).toContain(`  operator ${name}`);
        const [, ...words] = example.match(/"[^"]*"|\S+/g) ?? [];
        const asked = await askedBy(words.map((word) => word.replaceAll('"', "")));
        expect(asked).toBe(name);
      }
    },
  );
});
