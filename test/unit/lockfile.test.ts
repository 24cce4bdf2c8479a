import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  accepts,
  engineOf,
  installers,
  ownNode,
  readLockfile,
  withoutInstallersEngines,
} from "../../infra/lockfile.ts";

const modules = join(import.meta.dirname, "../../node_modules");

/** Every package.json that was installed, one level of scopes deep. */
const installed = readdirSync(modules)
  .flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((n) => join(name, n)) : [name],
  )
  .map((name) => ({ name, file: join(modules, name, "package.json") }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, file }) => ({ name, range: engineOf(JSON.parse(readFileSync(file, "utf8")).engines) }));

describe("a range of engines", () => {
  test.each([
    [">=20", "20.19.0", true],
    [">= 20.19.0", "20.18.3", false],
    ["^20.19.0 || >=22.12.0", "21.0.0", false],
    ["^20.19.0 || >=22.12.0", "22.13.0", true],
    ["18 || 20 || >=22", "20.19.0", true],
    [">= 10.x", "20.19.0", true],
    ["*", "20.19.0", true],
    [">=22.12.0 || >=20.19.0 <21.0.0", "20.19.0", true],
    [">=22.12.0 || >=20.19.0 <21.0.0", "21.0.0", false],
  ])("%s, asked for %s: %s", (range, version, accepted) => {
    expect(accepts(range, version)).toBe(accepted);
  });

  test("that is stated in a way nobody knows is refused", () => {
    expect(() => accepts("~21", "20.0.0")).toThrow("no known way");
  });
});

describe("the packages", () => {
  test("all run on the Node that the project brings", () => {
    const unsuited = installed.filter(({ range }) => !accepts(range, ownNode()));

    expect(installed.length).toBeGreaterThan(100);
    expect(unsuited).toEqual([]);
  });

  test(`make npm warn of no engine on Node ${installers.join(" and ")}: else \`npm run lockfile\``, () => {
    expect(withoutInstallersEngines(readLockfile())).toBe(readLockfile());
  });
});
