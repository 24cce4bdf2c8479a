import { describe, expect, test } from "vitest";
import { readDeployment } from "../../../infra/local/assembly/deployment.ts";
import type { Resource, Stack } from "../../../infra/local/assembly/read.ts";
import type { Json } from "../../../infra/local/json.ts";

type Template = Readonly<
  Record<string, { readonly Type: string; readonly Properties?: Record<string, Json> }>
>;

/** Reads an assembly of one stack. */
const deploy = (template: Template, outputs: Readonly<Record<string, Json>> = {}) => {
  const resources = new Map<string, Resource>();
  const stack: Stack = {
    name: "app",
    resources,
    parameters: new Set(["Bootstrap"]),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
  };
  for (const [logicalId, { Type: type, Properties: properties = {} }] of Object.entries(template))
    resources.set(logicalId, { stack, logicalId, type, properties });
  const assembly = { stacks: [stack], assets: new Map([["hash", "/code"]]) };
  return readDeployment(assembly, { queueOrigin: "http://127.0.0.1:1", tableSuffix: "" });
};

const keys = [{ AttributeName: "pk", KeyType: "HASH" }];
const things = (more: Record<string, Json> = {}) => ({
  Type: "AWS::DynamoDB::GlobalTable",
  Properties: {
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: keys,
    ...more,
  },
});
const role = { Type: "AWS::IAM::Role" };
const work = (more: Record<string, Json> = {}) => ({
  Type: "AWS::Lambda::Function",
  Properties: {
    Handler: "index.handler",
    Runtime: "nodejs24.x",
    Code: { S3Key: "hash.zip" },
    Role: { "Fn::GetAtt": ["role", "Arn"] },
    ...more,
  },
});

describe("a template that CloudFormation would refuse is refused in its words", () => {
  test("if it asks for the stream of a table without one, also in an output alone", () => {
    const output = { Stream: { "Fn::GetAtt": ["things", "StreamArn"] } };

    expect(() => deploy({ things: things() }, output)).toThrow(
      "app/things (AWS::DynamoDB::GlobalTable): Attribute 'StreamArn' does not exist",
    );
    const StreamSpecification = { StreamViewType: "NEW_AND_OLD_IMAGES" };
    expect(deploy({ things: things({ StreamSpecification }) }, output).tables).toHaveLength(1);
  });

  test("if it asks for an attribute that the type does not have, also in a resource that is not run", () => {
    const Properties = { Dimensions: [{ Value: { "Fn::GetAtt": "role.Name" } }] };

    expect(() => deploy({ role, alarm: { Type: "AWS::CloudWatch::Alarm", Properties } })).toThrow(
      "app: Template error: resource role does not support attribute type Name in Fn::GetAtt",
    );
  });

  test("if it refers to what the template does not have, but for parameters and what AWS provides", () => {
    const gone = { Ref: "gone" };

    expect(() => deploy({ role }, { Gone: gone })).toThrow("Unresolved resource dependencies [gone]");
    expect(() => deploy({ role }, { Kept: [{ Ref: "Bootstrap" }, { Ref: "AWS::Region" }] })).not.toThrow();
  });

  test("if it has more than 500 resources or 200 outputs", () => {
    const many = (count: number) => Array.from({ length: count }, (_, number) => `r${number}`);
    const roles = (count: number) => Object.fromEntries(many(count).map((id) => [id, role]));
    const outputs = Object.fromEntries(many(201).map((id) => [id, "x"]));

    expect(() => deploy(roles(501))).toThrow(
      "Number of resources, 501, is greater than maximum allowed, 500",
    );
    expect(() => deploy(roles(500))).not.toThrow();
    expect(() => deploy({ role }, outputs)).toThrow(
      "Number of outputs, 201, is greater than maximum allowed, 200",
    );
  });
});

describe("what a service would refuse is refused", () => {
  test("if a function's environment takes more than 4 KB", () => {
    const withVariable = (length: number) => ({
      role,
      work: work({ Environment: { Variables: { A: "x".repeat(length) } } }),
    });

    // 8 bytes are the JSON around the value.
    expect(() => deploy(withVariable(4089))).toThrow("exceeded the 4KB limit");
    expect(() => deploy(withVariable(4088))).not.toThrow();
  });

  test.each([{ Timeout: 901 }, { Timeout: 0 }, { MemorySize: 64 }])("if a function has %j", (properties) => {
    expect(() => deploy({ role, work: work(properties) })).toThrow(Object.keys(properties)[0] ?? "");
  });

  test.each([
    ["denies", { Effect: "Deny" }],
    ["excepts actions", { NotAction: "sqs:SendMessage" }],
    ["has an unknown condition", { Condition: { StringNotEquals: {} } }],
  ])("if a statement of a policy %s, which would allow more here than where it is deployed", (_, stated) => {
    const Statement = [{ Effect: "Allow", Action: "*", Resource: "*", ...stated }];
    const one = { Type: "AWS::IAM::Policy", Properties: { Roles: ["role"], PolicyDocument: { Statement } } };

    expect(() => deploy({ role, one })).toThrow("app/one (AWS::IAM::Policy) is not understood");
  });

  test("if the inline policies of a role take more than 10,240 characters together", () => {
    const policy = (characters: number) => ({
      Type: "AWS::IAM::Policy",
      Properties: {
        Roles: [{ Ref: "role" }],
        PolicyDocument: {
          Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "x".repeat(characters) }],
        },
      },
    });

    expect(() => deploy({ role, one: policy(5000), other: policy(5200) })).toThrow(
      /^Maximum policy size of 10240 bytes exceeded for role app-role/,
    );
    expect(() => deploy({ role, one: policy(5000), other: policy(5000) })).not.toThrow();
  });

  test.each([
    ["rate(1 minute)", true],
    ["rate(5 minutes)", true],
    ["rate(1 minutes)", false],
    ["rate(5 minute)", false],
    ["rate(0 minutes)", false],
  ])("if EventBridge does not take a schedule: %s, taken: %s", (ScheduleExpression, isTaken) => {
    const rule = { Type: "AWS::Events::Rule", Properties: { ScheduleExpression } };

    if (isTaken) expect(() => deploy({ rule })).not.toThrow();
    else expect(() => deploy({ rule })).toThrow(`does not know the schedule "${ScheduleExpression}"`);
  });

  test.each([
    ["Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds", { Timeout: 31 }, {}],
    ["is not understood: BatchSize: ", {}, { BatchSize: 11 }],
    ["is not understood: MaximumBatchingWindowInSeconds: ", {}, { MaximumBatchingWindowInSeconds: 5 }],
  ])("if Lambda or the runtime does not take a queue as event source: %s", (words, properties, mapping) => {
    const template = {
      role,
      work: work(properties),
      letters: { Type: "AWS::SQS::Queue" },
      source: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: {
          EventSourceArn: { "Fn::GetAtt": ["letters", "Arn"] },
          FunctionName: { Ref: "work" },
          ...mapping,
        },
      },
    };

    expect(() => deploy(template)).toThrow(words);
  });

  test.each(["ANY /a", "GET /a/{rest+}"])("if a route is %s, which the runtime does not know", (RouteKey) => {
    const route = {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: { RouteKey, Target: "integrations/one" },
    };

    expect(() => deploy({ route })).toThrow("RouteKey: ANY and greedy parameters are not known");
  });
});
