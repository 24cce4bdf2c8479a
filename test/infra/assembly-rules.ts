import { describe, expect, test } from "vitest";
import { type Assembly, resources, text } from "./assembly.ts";
import { at, type Json, list, members } from "./json.ts";

/** What the runtime that boots the assembly on one machine resolves. */
const understood = new Set([
  "Ref",
  ...["GetAtt", "Join", "Sub", "ImportValue", "Select", "Split"].map((name) => `Fn::${name}`),
]);

const intrinsicsIn = (value: Json | undefined): string[] => {
  if (Array.isArray(value)) return value.flatMap(intrinsicsIn);
  return members(value).flatMap(([name, inner]) => [
    ...(/^(Ref|Fn::\w+)$/.test(name) ? [name] : []),
    ...intrinsicsIn(inner),
  ]);
};

/** What holds for the assembly as a whole. */
export const assemblyRules = (get: () => Assembly): void => {
  describe("the assembly", () => {
    test("needs no account, no region, no lookup and no credentials", () => {
      const stacks = members(at(get().manifest, "artifacts")).filter(
        ([, artifact]) => at(artifact, "type") === "aws:cloudformation:stack",
      );

      expect(stacks).toHaveLength(get().templates.size);
      for (const [, stack] of stacks) {
        expect(at(stack, "environment")).toBe("aws://unknown-account/unknown-region");
      }
      expect(at(get().manifest, "missing")).toBeUndefined();
    });

    test("holds the stacks of its areas", () => {
      expect([...get().templates.keys()]).toEqual(
        expect.arrayContaining([
          "Alerts",
          "Data",
          "Jobs",
          "Api",
          "Oms",
          "Wms",
          "V2",
          "Sign-in",
          "Mobile",
          "Docs",
          "Stage",
          "Observability",
        ]),
      );
    });

    test("allows nothing on every resource, but for sending traces", () => {
      for (const { stack, properties } of resources(get(), "AWS::IAM::Policy")) {
        for (const statement of list(at(properties, "PolicyDocument", "Statement"))) {
          const targets = list(at(statement, "Resource")).map((one) => text(get(), stack, one));
          const actions = list(at(statement, "Action")).map(String);
          if (targets.includes("*"))
            expect(actions.every((action) => action.startsWith("xray:Put"))).toBe(true);
          expect(actions.some((action) => action.includes("*"))).toBe(false);
        }
      }
    });

    test("gives permissions only through the functions' policies", () => {
      const types = [...get().templates.values()]
        .flatMap(({ Resources }) => Object.values(Resources))
        .map((one) => one.Type);

      expect(new Set(types.filter((type) => type.startsWith("AWS::IAM::")))).toEqual(
        new Set(["AWS::IAM::Role", "AWS::IAM::Policy"]),
      );
    });

    test("uses only the intrinsics that the local runtime resolves", () => {
      const used = [...get().templates.values()].flatMap(({ Resources, Outputs }) => [
        ...Object.values(Resources).flatMap(({ Properties }) => intrinsicsIn(Properties)),
        ...intrinsicsIn(Outputs),
      ]);

      expect([...new Set(used)].filter((name) => !understood.has(name))).toEqual([]);
    });
  });
};
