/**
 * What roles allow beside what functions state: what the last release stated, since its code may run beside
 * the new code.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type Permissions, type Release, statedPermissions } from "../../../infra/release/released.ts";
import type { EndpointContract } from "../../../shared/runtime/contract.ts";
import type { Access } from "../../../shared/store/access.ts";
import { type Assembly, readAssembly } from "../apps/assembly.ts";
import { deployedFunction, permissionsOf } from "../apps/deployed.ts";
import { at, namesIn } from "../apps/json.ts";
import { endpoint, type Functions, few, noSettings, type SmallApps } from "../apps/small-apps.ts";

const little: Access = { orders: { "order#": "read" }, events: "read" };
const much: Access = { orders: "write", "orders/work": "read", inventory: { "bin#": "change" } };

const stating = (number: number, more: Partial<EndpointContract>): EndpointContract => ({
  ...endpoint(number),
  sends: [],
  ...more,
});
const narrow = stating(1, { access: little });
const wide = stating(2, { access: much, sends: ["recount"], secret: true });
const both = stating(3, { access: { ...much, events: "read" }, sends: ["recount"], secret: true });

const functions: Functions = {
  ...few,
  "things/narrowed": narrow,
  "things/widened": { ...wide, path: "/things/4" },
  "things/new": { ...narrow, path: "/things/5" },
  "things/narrow": { ...narrow, path: "/things/6" },
  "things/both": both,
};

const releasedAs = (contract: EndpointContract, sends: readonly string[] = []): Permissions =>
  statedPermissions({ contract, sends });
const released: Release = {
  "things/narrowed": releasedAs(wide, ["recount"]),
  "things/widened": releasedAs(narrow),
  "things/gone": releasedAs(wide, ["recount"]),
  // Of a table, an index and a queue that are gone.
  "things/both": {
    access: Object.fromEntries([
      ["letters", "write"],
      ["orders/stamps", "read"],
    ]),
    sends: ["letter"],
    secret: false,
  },
};

export const releasedRules = ({ build }: SmallApps): void => {
  describe("after a release", () => {
    let assembly: Assembly;
    beforeAll(() => {
      assembly = readAssembly(build(noSettings, functions, released).directory);
    });

    /**
     * What a function's role allows, besides its own log group. The order of keys in a condition does not
     * count.
     */
    const allowed = (key: string): readonly string[] =>
      permissionsOf(assembly, deployedFunction(assembly, key))
        .filter((one) => !one.startsWith("logs:"))
        .map((one) => one.replace(/\[.*?\]/, (keys) => keys.slice(1, -1).split(",").toSorted().join()));
    const environmentOf = (key: string): readonly string[] =>
      namesIn(at(deployedFunction(assembly, key).properties, "Environment", "Variables"));

    test("a function that states less keeps what it was allowed, and names no more than it states", () => {
      expect(allowed("things/narrowed")).toEqual(allowed("things/both"));
      expect(allowed("things/narrowed").length).toBeGreaterThan(allowed("things/narrow").length);
      expect(environmentOf("things/narrowed")).toEqual(environmentOf("things/narrow"));
    });

    test("a function that states more is allowed both", () => {
      expect(allowed("things/widened")).toEqual(allowed("things/both"));
    });

    test("a new function is allowed what it states", () => {
      expect(allowed("things/new")).toEqual(allowed("things/narrow"));
    });
  });
};
