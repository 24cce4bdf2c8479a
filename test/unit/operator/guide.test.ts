/** The operators' guide: its commands are understood, tests run them, and its links have targets. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { guideCommands } from "../../rehearsal/guide.ts";
import { commandsOfGuide, guide, notRehearsed, pages, shellOfGuide } from "../../support/guide.ts";
import { allCommands, nowhere, runOperator } from "../../support/store/operator.ts";

const root = join(import.meta.dirname, "../../..");

/** Values for what a command is shown with in capitals. */
const examples: Readonly<Record<string, string>> = {
  ACCOUNT: "100",
  BEFORE: "2020-01-01",
  DATE: "2020-01-01",
  FILE: "new.jsonl",
  ID: "1003",
  JOB: "1",
  KIND: "recount",
  LIST: "order",
  NAME: "manager",
  ORDER: "1003",
  ORDERS: "1003",
  TABLE: "orders",
  WEBHOOK: "1",
};

const commands = commandsOfGuide(examples);

const tests = ["test/unit", "test/integration", "test/rehearsal", "test/support"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && name !== "operator/guide.test.ts")
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  )
  .join("\n");

/** What GitHub makes of a heading for links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

describe("the commands of the operators' guide", () => {
  test.each(commands)("are understood: $line ($path)", async ({ words }) => {
    const { status, stderr } = await runOperator([...words, "--yes"], nowhere, {
      variables: { MASTER_KEY: "key" },
    });

    // They get as far as the tables or files, which are not there.
    expect([status, stderr]).not.toEqual([2, expect.stringMatching(/unknown|missing|must|too many/)]);
  });

  test("are run by tests", () => {
    const untested = commands
      .map(({ words: [command = "", subcommand = ""] }) =>
        /^[a-z]/.test(subcommand) ? `${command} ${subcommand}` : command,
      )
      .filter((command) => !new RegExp(`["\`]${command.replace(" ", '(?:", "| )')}[" ]`).test(tests));

    expect([...new Set(untested)]).toEqual([]);
    expect(commands.length).toBeGreaterThan(50);
  });
});

/** What steps of the rehearsal run in their own way. */
const byOwnSteps = ["npx cdk bootstrap", "npx cdk deploy", "npx cdk destroy", "npx cdk synth", "npm ci"];

describe("the shell commands of the operators' guide", () => {
  const isRehearsed = (code: string): boolean => guideCommands.some(({ begins }) => code.startsWith(begins));

  test("are run by the rehearsal, or their page says that they are not", () => {
    const unclassified = shellOfGuide.flatMap(({ page, code, calls }) =>
      isRehearsed(code)
        ? []
        : calls
            .filter((call) => !byOwnSteps.includes(call) && !notRehearsed(page).includes(call))
            .map((call) => `${page}: ${call}`),
    );

    expect(unclassified).toEqual([]);
    expect(shellOfGuide.length).toBeGreaterThan(30);
  });

  test("that the rehearsal runs are there", () => {
    const gone = guideCommands.filter(
      ({ begins }) => !shellOfGuide.some(({ code }) => code.startsWith(begins)),
    );

    expect(gone).toEqual([]);
  });
});

test("the reference lists each command with its subcommands", () => {
  const reference = readFileSync(join(guide, "reference.md"), "utf8");
  const [table = ""] = /\| command \| subcommands \|[\s\S]*?\n\n/.exec(reference) ?? [];
  const wordsIn = (part: string) => [...part.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  const listed = table.split("\n").flatMap((line) => {
    const [, left = "", right = ""] = line.split("|");
    const subcommands = wordsIn(right);
    return wordsIn(left).flatMap((command) =>
      subcommands.length === 0 ? [command] : subcommands.map((one) => `${command} ${one}`),
    );
  });

  expect(listed.toSorted()).toEqual([...allCommands().keys()].toSorted());
});

test("every link of the operators' guide leads to a page and a heading", () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file = "", anchor]) => {
      const target = file === "" ? path : join(dirname(path), file);
      return { path, target, anchor };
    }),
  );
  const lost = links.filter(({ target, anchor }) => {
    if (!existsSync(join(root, target))) return true;
    const headings = readFileSync(join(root, target), "utf8").matchAll(/^#+ (.+)$/gm);
    return anchor !== undefined && ![...headings].some(([, heading = ""]) => anchorOf(heading) === anchor);
  });

  expect(links.length).toBeGreaterThan(50);
  expect(lost).toEqual([]);
});
