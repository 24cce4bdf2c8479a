import { describe, expect, test } from "vitest";
import { type Assembly, dependenciesOf, nameOf, resources, text } from "../apps/assembly.ts";
import { at, type Json, list, members } from "../apps/json.ts";

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
          "Backups",
          "Jobs",
          "Api",
          "Oms",
          "Oms-inventory",
          "Oms-orders",
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

    test("has no stack of more than 400 resources, since CloudFormation takes 500 and endpoints are added", () => {
      const counts = [...get().templates].map(([name, { Resources }]) => [
        name,
        Object.keys(Resources).length,
      ]);

      expect(counts.filter(([, count]) => Number(count) > 400)).toEqual([]);
    });

    test("updates consumers of jobs and changes before endpoints, which send and store what they consume", () => {
      const areas = new Set(resources(get(), "AWS::ApiGatewayV2::Route").map(({ stack }) => stack));

      areas.delete("Api");
      expect(areas.size).toBeGreaterThan(1);
      for (const area of areas)
        expect(dependenciesOf(get(), area)).toEqual(expect.arrayContaining(["Data", "Jobs", "Streams"]));
    });

    test("can delete a stack whose creation failed: no stack has termination protection", () => {
      const isProtected = members(at(get().manifest, "artifacts")).filter(
        ([, artifact]) => at(artifact, "properties", "terminationProtection") === true,
      );

      expect(isProtected.map(([name]) => name)).toEqual([]);
    });

    test("asks for the stream of no table that has none", () => {
      const asked = [...get().templates].flatMap(([stack, template]) =>
        [...JSON.stringify(template).matchAll(/"Fn::GetAtt":\["(\w+)","StreamArn"\]/g)].map(
          ([, id]) => `${stack}/${id}`,
        ),
      );
      const streaming = resources(get(), "AWS::DynamoDB::GlobalTable").flatMap((table) =>
        at(table.properties, "StreamSpecification") === undefined ? [] : [nameOf(table)],
      );

      expect([...new Set(asked)].sort()).toEqual(streaming.sort());
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
