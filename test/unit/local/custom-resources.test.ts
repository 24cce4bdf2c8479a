import { expect, test } from "vitest";
import { readCustomResources } from "../../../infra/local/assembly/custom-resources.ts";
import { Resolver } from "../../../infra/local/assembly/intrinsics/resolver.ts";
import type { Resource, Stack } from "../../../infra/local/assembly/read.ts";
import { createCustomResources } from "../../../infra/local/custom-resources.ts";
import { at } from "../../support/http/client.ts";

const resource = {
  stack: "data",
  logicalId: "Record",
  type: "Custom::Record",
  serviceToken: "arn:aws:lambda:us-east-1:1:function:record",
  properties: { Release: "1.0.0" },
};

/** A function that answers so, and the types of the requests that it got. */
function functionThat(answer: object) {
  const asked: unknown[] = [];
  const invoke = async (_arn: string, event: object): Promise<void> => {
    asked.push([at(event, "RequestType"), at(event, "ResourceProperties.Release")]);
    const body = {
      PhysicalResourceId: "record",
      StackId: at(event, "StackId"),
      RequestId: at(event, "RequestId"),
      LogicalResourceId: at(event, "LogicalResourceId"),
      ...answer,
    };
    await fetch(String(at(event, "ResponseURL")), { method: "PUT", body: JSON.stringify(body) });
  };
  return { asked, invoke };
}

test("a function is given all numbers and booleans of the properties as texts, as CloudFormation gives them", () => {
  const resources = new Map<string, Resource>();
  const stack: Stack = { name: "data", resources, parameters: new Set(), outputs: {} };
  resources.set("Record", {
    stack,
    logicalId: "Record",
    type: "Custom::Record",
    properties: {
      ServiceToken: resource.serviceToken,
      ServiceTimeout: 120,
      Layout: 2,
      IsOpen: true,
      Layouts: { accepted: [1, 2.5, { of: false }], name: "orders" },
    },
  });

  const [read] = readCustomResources(
    new Resolver({ stacks: [stack], assets: new Map() }, { queueOrigin: "", tableSuffix: "" }),
  );

  expect(read?.properties).toEqual({
    ServiceToken: resource.serviceToken,
    Layout: "2",
    IsOpen: "true",
    Layouts: { accepted: ["1", "2.5", { of: "false" }], name: "orders" },
  });
});

test("a resource is created with its properties", async () => {
  const { asked, invoke } = functionThat({ Status: "SUCCESS" });

  await createCustomResources([resource], invoke);

  expect(asked).toEqual([["Create", "1.0.0"]]);
});

test("a resource that a function refuses fails the start with the function's reason", async () => {
  const { invoke } = functionThat({ Status: "FAILED", Reason: "the data are from another release" });

  await expect(createCustomResources([resource], invoke)).rejects.toThrow(
    "data/Record (Custom::Record) failed: the data are from another release",
  );
});

test.each([
  ["names another request", { Status: "SUCCESS", RequestId: "other" }, /names another request/],
  ["has no status", {}, /was answered wrongly/],
])("an answer that %s is refused, as CloudFormation refuses it", async (_, answer, message) => {
  const { invoke } = functionThat(answer);

  await expect(createCustomResources([resource], invoke)).rejects.toThrow(message);
});
