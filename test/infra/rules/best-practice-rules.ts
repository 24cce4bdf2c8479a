/** What others hold for best practice, asked of apps with all that settings bring. */
import { describe, expect, test } from "vitest";
import type { Assembly } from "../apps/assembly.ts";
import { cfnLint, exceptions, isOf, unexplained, violationsOf } from "../apps/best-practice.ts";
import type { EdgeApps } from "../apps/edge-apps.ts";
import { type Json, members } from "../apps/json.ts";

/** Where the names are the service's own: variables of functions, and routes. */
const ownNames = /\.(Variables|RouteSettings)$/;

/**
 * What a property and those within it are called. Entries of a list go by one name, and so do those of the
 * service's own.
 */
const namesIn = (value: Json | undefined, path: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, `${path}[]`));
  const inPath = (name: string) => `${path}.${ownNames.test(path) ? "*" : name}`;
  return [path, ...members(value).flatMap(([name, inner]) => namesIn(inner, inPath(name)))];
};

export const bestPracticeRules = ({ whole, lesser }: EdgeApps): void => {
  describe("cdk-nag", () => {
    const found = [...violationsOf(whole.app), ...violationsOf(lesser.app)];

    test("finds nothing but what does not fit, with a reason for each", () => {
      expect(found.length).toBeGreaterThan(0);
      expect(unexplained(found)).toEqual([]);
    });

    test.each(exceptions)("still finds what $rule is excepted for", (exception) => {
      expect(found.some((one) => isOf(exception, one))).toBe(true);
    });
  });

  // CloudFormation's own rules, which the CDK asks, have judged each template whole. cfn-lint, which takes
  // seconds for so many functions, judges an app that has all properties of them.
  describe("cfn-lint", () => {
    test("finds nothing in the templates", { timeout: 240_000 }, ({ skip }) => {
      const said = cfnLint(lesser.outdir);

      skip(said === undefined, "it is not installed");
      expect(said).toBe("");
    });

    test("meets every property of every type of resource that there is", () => {
      const propertiesIn = (assembly: Assembly) =>
        new Set(
          [...assembly.templates.values()].flatMap(({ Resources }) =>
            Object.values(Resources).flatMap(({ Type, Properties }) => namesIn(Properties, Type)),
          ),
        );

      const met = propertiesIn(lesser.assembly);

      expect([...propertiesIn(whole.assembly)].filter((name) => !met.has(name))).toEqual([]);
    });
  });
};
