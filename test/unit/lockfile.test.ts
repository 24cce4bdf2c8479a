import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { describe, expect, test } from "vitest";
import {
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

describe("the packages", () => {
  test("all run on the Node that the project brings", () => {
    const unsuited = installed.filter(({ range }) => !semver.satisfies(ownNode(), range));

    expect(installed.length).toBeGreaterThan(100);
    expect(unsuited).toEqual([]);
  });

  test(`make npm warn of no engine on Node ${installers.join(" and ")}: else \`npm run lockfile\``, () => {
    expect(withoutInstallersEngines(readLockfile())).toBe(readLockfile());
  });
});
