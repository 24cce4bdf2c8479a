import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = ["functions", "shared", "infra", "test"];

interface Source {
  /** From the project's root: `shared/store/keys.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

interface Import {
  /** What stands before `from`. */
  readonly clause: string;
  /** A package by its name, a file from the project's root. */
  readonly target: string;
}

const statement = /^\s*(?:import|export)\s+([^;"']*?)\s*from\s*"([^"]+)"/gm;
const other = /\bimport\s*\(?\s*"([^"]+)"/g;

const resolved = (path: string, specifier: string): string =>
  specifier.startsWith(".") ? relative(root, join(root, dirname(path), specifier)) : specifier;

function importsOf(path: string, text: string): readonly Import[] {
  return [
    ...[...text.matchAll(statement)].map(([, clause = "", specifier = ""]) => ({ clause, specifier })),
    ...[...text.matchAll(other)].map(([, specifier = ""]) => ({ clause: "", specifier })),
  ].map(({ clause, specifier }) => ({ clause, target: resolved(path, specifier) }));
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  return { path, text, imports: importsOf(path, text) };
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const topmost = readdirSync(root).filter((name) => name.endsWith(".ts"));
const sources = [...folders.flatMap(filesBelow), ...topmost].map(read);
const below = (folder: string) => sources.filter(({ path }) => path.startsWith(`${folder}/`));
const product = sources.filter(({ path }) => !path.startsWith("test/"));

/** `who imports what` of each import that a rule does not allow. */
const breaches = (from: readonly Source[], forbids: (target: string, clause: string) => boolean) =>
  from.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, clause }) => forbids(target, clause))
      .map(({ target }) => `${path} imports ${target}`),
  );

const isIn = (target: string, places: readonly string[]) =>
  places.some((place) => target === place || target.startsWith(`${place}/`));
const isOurs = (target: string) => isIn(target, folders) || topmost.includes(target);

describe("the reader of sources", () => {
  test("finds the files and what they import, so that the rules below have something to hold", () => {
    const handler = sources.find(({ path }) => path === "shared/http/http-handler.ts");

    expect(sources.length).toBeGreaterThan(100);
    expect(handler?.imports.map(({ target }) => target)).toContain("shared/runtime/metrics.ts");
    expect(handler?.imports.map(({ target }) => target)).toContain("shared/common/problem.ts");
  });

  test("sees imports over several lines, of types, for effect, at run time and passed on", () => {
    const text = [
      'import {\n  a,\n  b,\n} from "./a.ts";',
      'import type { C } from "../infra/c.ts";',
      'import "./d.ts";',
      'const e = await import("./e.ts");',
      'export * from "./f.ts";',
    ].join("\n");

    const targets = importsOf("functions/x.ts", text).map(({ target }) => target);

    expect(targets.sort()).toEqual([
      "functions/a.ts",
      "functions/d.ts",
      "functions/e.ts",
      "functions/f.ts",
      "infra/c.ts",
    ]);
  });
});

describe("imports point one way", () => {
  test.each([
    ["shared", ["shared"]],
    ["functions", ["functions", "shared"]],
    ["infra", ["infra", "functions", "shared"]],
  ])("%s imports nothing of the project but %j", (folder, allowed) => {
    expect(breaches(below(folder), (target) => isOurs(target) && !isIn(target, allowed))).toEqual([]);
  });

  /**
   * The rooms of a folder, lowest first. A room imports nothing of the folder but itself and the rooms before
   * it. Some rooms are single files.
   */
  const rooms = {
    shared: [
      ...[
        "common",
        "store",
        "runtime",
        "accounts",
        "auth",
        "streams",
        "jobs",
        "http",
        "events",
        "registries",
      ],
      ...[
        "attributes",
        "catalog",
        "stock",
        "serials",
        "orders",
        "picking",
        "inbound",
        "webhooks",
        "publishing",
      ],
      ...["attribute-owners", "sandbox"],
    ],
    "shared/store": [
      ...["tables.ts", "access.ts", "permits.ts", "dynamodb/keys.ts", "partitions.ts", "layouts"],
      ...["dynamodb", "permission-probe.ts", "lookup-index.ts", "lists"],
      ...["sagas", "idempotency.ts", "bulk"],
    ],
    infra: [
      ...["paths.ts", "output-names.ts", "lockfile.ts", "picture.ts", "prune.mjs"],
      ...[
        "data-model",
        "edge-settings.ts",
        "settings.ts",
        "access-log.ts",
        "access.ts",
        "deployment-record.ts",
        "catalog.ts",
      ],
      ...["import", "documents", "bundle", "release", "constructs", "stacks", "app.ts"],
      ...["local", "synthesize.ts", "operator", "demo"],
    ],
  };
  const folderRooms = Object.entries(rooms).map(
    ([folder, names]) => [folder, names.map((name) => `${folder}/${name}`)] as const,
  );

  test.each(folderRooms)("every file of %s lies in one of its rooms", (folder, all) => {
    const strays = below(folder).filter(({ path }) => !isIn(path, all));

    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test.each(
    folderRooms.flatMap(([folder, all]) =>
      all.map((room, position) => [room, folder, all.slice(0, position)] as const),
    ),
  )("%s imports nothing of %s but itself and %j", (room, folder, lower) => {
    const members = sources.filter(({ path }) => isIn(path, [room]));
    const isHigher = (target: string) => isIn(target, [folder]) && !isIn(target, [room, ...lower]);

    expect(members.length).toBeGreaterThan(0);
    expect(breaches(members, isHigher)).toEqual([]);
  });
});

/**
 * A way from each of these files back to itself: `a.ts > b.ts > a.ts`. What imports only types is no part of
 * it.
 */
function cyclesOf(files: readonly Source[]): readonly string[] {
  const imported = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ clause }) => !clause.startsWith("type ")).map(({ target }) => target),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path].join(" > "));
    if (start >= 0 || done.has(path)) return;
    for (const target of imported.get(path) ?? []) follow(target, [...way, path]);
    done.add(path);
  };
  for (const path of imported.keys()) follow(path, []);
  return found;
}

/** Here, since the linter's rule would take longer than all its others together. */
describe("no file imports itself over others", () => {
  const file = (path: string, target: string, clause = "{ a }"): Source => ({
    path,
    text: "",
    imports: [{ clause, target }],
  });

  test("a file that imports itself over others is found", () => {
    const cycle = [file("a.ts", "b.ts"), file("b.ts", "c.ts"), file("c.ts", "b.ts"), file("d.ts", "d.ts")];

    expect(cyclesOf(cycle)).toEqual(["b.ts > c.ts > b.ts", "d.ts > d.ts"]);
    expect(cyclesOf([file("a.ts", "b.ts"), file("b.ts", "a.ts", "type { A }")])).toEqual([]);
  });

  test("no file of the project does", () => {
    expect(cyclesOf(sources)).toEqual([]);
  });
});

test("the operator's verification is a package that all others import through its index", () => {
  const home = "infra/operator/verify";
  const others = sources.filter(({ path }) => !isIn(path, [home, "test/unit/verify"]));

  expect(breaches(others, (target) => isIn(target, [home]) && target !== `${home}/index.ts`)).toEqual([]);
});

test("what the operator's and the console's imports share knows no file, no endpoint and none of the two", () => {
  const home = "infra/import";
  const isAllowed = (target: string) => isIn(target, [home, "shared"]) || /^zod\b/.test(target);

  expect(below(home).length).toBeGreaterThan(5);
  expect(breaches(below(home), (target) => !isAllowed(target))).toEqual([]);
});

describe("the local runtime is a package of its own", () => {
  const home = "infra/local";
  /** Its unit tests look inside. */
  const insiders = [home, "test/unit/local"];

  test("it imports nothing of the project outside itself", () => {
    expect(below(home).length).toBeGreaterThan(30);
    expect(breaches(below(home), (target) => isOurs(target) && !isIn(target, [home]))).toEqual([]);
  });

  test("all others import it through its index", () => {
    const others = sources.filter(({ path }) => !isIn(path, insiders));
    const ways = others.flatMap(({ imports }) => imports.filter(({ target }) => isIn(target, [home])));

    expect(ways.length).toBeGreaterThan(0);
    expect(breaches(others, (target) => isIn(target, [home]) && target !== `${home}/index.ts`)).toEqual([]);
  });
});

describe("an integration test", () => {
  const files = below("test/integration");
  const alone = files.filter(({ path }) => path.startsWith("test/integration/alone/"));
  /** All but those about the runtime itself, which start it with assemblies of their own. */
  const sharing = files.filter(
    (file) => !alone.includes(file) && !file.path.startsWith("test/integration/runtime/"),
  );

  test("starts no service unless it is where such tests are, and looks at no table whole", () => {
    const disturbing = [
      "test/support/runtime/own-service.ts",
      "test/support/store/scan.ts",
      "test/support/store/key-locks.ts",
      "test/support/store/jobs.ts",
      "test/support/store/job-kinds.ts",
      "test/support/store/job-batches.ts",
      "infra/local/index.ts",
    ];

    expect(disturbing.filter((file) => !sources.some(({ path }) => path === file))).toEqual([]);
    expect(sharing.length).toBeGreaterThan(0);
    expect(breaches(sharing, (target) => isIn(target, disturbing))).toEqual([]);
  });

  test("that starts its own service lies in `alone`, and does not use the shared one", () => {
    expect(alone.length).toBeGreaterThan(0);
    expect(breaches(alone, (target) => target === "test/support/runtime/shared-service.ts")).toEqual([]);
  });
});

describe("a package is imported in one part of the product", () => {
  const middyPlaces = ["shared/runtime/handler.ts"];
  const dynamoPlaces = ["shared/store", "infra/data-model", "infra/operator", "infra/local"];
  const dynamo = ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb"];

  test("middy is imported only where handlers are wrapped", () => {
    const elsewhere = product.filter(({ path }) => !middyPlaces.includes(path));

    expect(breaches(elsewhere, (target) => target.includes("middy"))).toEqual([]);
  });

  test("DynamoDB's commands are imported only where data is read and written", () => {
    const elsewhere = product.filter(({ path }) => !isIn(path, dynamoPlaces));

    expect(breaches(elsewhere, (target, clause) => isIn(target, dynamo) && /Command\b/.test(clause))).toEqual(
      [],
    );
  });

  test("no function scans a table, whose cost would grow with it", () => {
    const deployed = [...below("functions"), ...below("shared")];

    expect(
      breaches(deployed, (target, clause) => isIn(target, dynamo) && /\bScanCommand\b/.test(clause)),
    ).toEqual([]);
  });

  test("DynamoDB's client is imported in no function, and in shared only by the store", () => {
    const elsewhere = [...below("functions"), ...below("shared")].filter(
      ({ path }) => !isIn(path, ["shared/store"]),
    );

    expect(breaches(elsewhere, (target) => isIn(target, dynamo))).toEqual([]);
  });

  test.each([
    ["jose", ["shared/auth/jwt.ts"]],
    ["otpauth", ["shared/auth/totp.ts"]],
    ["@aws-sdk/client-secrets-manager", ["shared/runtime/secret.ts", "infra/operator/preflight"]],
  ])("%s is imported only in %j", (name, places) => {
    const elsewhere = product.filter(({ path }) => !isIn(path, places));

    expect(breaches(elsewhere, (target) => isIn(target, [name]))).toEqual([]);
  });

  test("zod is imported whole and in its small form, which the bundles' size depends on", () => {
    const deployed = [...below("functions"), ...below("shared")];
    const large = (target: string, clause: string) =>
      isIn(target, ["zod"]) && (target !== "zod/mini" || !/^(?:type )?\* as z$/.test(clause));

    expect(breaches(deployed, large)).toEqual([]);
  });
});

describe("a folder", () => {
  test("holds at most 15 files", () => {
    const byFolder = Map.groupBy(sources, ({ path }) => dirname(path));
    const crowded = [...byFolder].filter(([folder, files]) => folder !== "." && files.length > 15);

    expect(crowded.map(([folder, files]) => `${folder}: ${files.length} files, divide it by topic`)).toEqual(
      [],
    );
  });
});

describe("a comment", () => {
  const comment = /^\s*(?:\/\/|\/?\*)/;
  const linesOf = ({ path, text }: Source) =>
    text
      .split("\n")
      .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
      .filter(({ line }) => comment.test(line));
  const comments = sources.flatMap(linesOf);

  test("names only files that exist", () => {
    const paths = sources.map(({ path }) => path);
    const exists = (name: string) => paths.some((path) => path === name || path.endsWith(`/${name}`));
    const own = "test/unit/architecture.test.ts";
    const missing = comments
      .filter(({ place }) => !place.startsWith(own))
      .flatMap(({ line, place }) =>
        [...line.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].flatMap(([, name = ""]) =>
          exists(name) ? [] : [`${place} names ${name}`],
        ),
      );

    expect(missing).toEqual([]);
  });

  test("has at most 110 columns", () => {
    const long = comments.filter(({ line }) => [...line].length > 110);

    expect(long.map(({ place }) => place)).toEqual([]);
  });
});

describe("a source file", () => {
  const comment = /^\s*(?:\/\/|\/?\*)/;
  const cast = /\bas\s+any\b|\bas\s+unknown\s+as\b|<\s*any\s*>/;
  const directive = /(?:\/\/|\/\*)\s*@ts-(?:ignore|nocheck|expect-error)/;

  test("casts its way around no type", () => {
    const casts = sources.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (!comment.test(line) && cast.test(line) ? [`${path}:${index + 1}`] : [])),
    );

    expect(casts).toEqual([]);
  });

  test("of the service counts the elements of a call by `placed` alone, as a retry stores only some of them", () => {
    const counted = /`(?:data|order_ids)\.\$\{/;
    const counting = sources.filter(
      ({ path, text }) => /^(?:shared|functions)\//.test(path) && counted.test(text),
    );

    expect(counting.map(({ path }) => path)).toEqual([]);
  });

  test("switches no type check off", () => {
    const silenced = sources.filter(({ text }) => directive.test(text));

    expect(silenced.map(({ path }) => path)).toEqual([]);
  });
});
