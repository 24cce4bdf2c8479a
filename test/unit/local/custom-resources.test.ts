import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readCustomResources } from "../../../infra/local/assembly/custom-resources.ts";
import { Resolver } from "../../../infra/local/assembly/intrinsics/resolver.ts";
import type { Resource, Stack } from "../../../infra/local/assembly/read.ts";
import { settleCustomResources } from "../../../infra/local/custom-resources.ts";
import { at } from "../../support/http/client.ts";

const folder = mkdtempSync(join(tmpdir(), "custom-resources-"));
afterEach(() => rmSync(join(folder, "custom-resources.json"), { force: true }));

const resource = (release: string) => ({
  stack: "data",
  logicalId: "Record",
  type: "Custom::Record",
  serviceToken: "arn:aws:lambda:us-east-1:1:function:record",
  properties: { Release: release },
});

/** A function that answers so, and the types of the requests that it got. */
function functionThat(answer: object) {
  const asked: unknown[] = [];
  const invoke = async (_arn: string, event: object): Promise<void> => {
    asked.push([at(event, "RequestType"), at(event, "OldResourceProperties.Release")]);
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
      ServiceToken: resource("").serviceToken,
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
    ServiceToken: resource("").serviceToken,
    Layout: "2",
    IsOpen: "true",
    Layouts: { accepted: ["1", "2.5", { of: "false" }], name: "orders" },
  });
});

test("a resource is created at the first start, left alone at the next, and updated if its properties are others", async () => {
  const { asked, invoke } = functionThat({ Status: "SUCCESS" });

  for (const release of ["1.0.0", "1.0.0", "1.1.0"])
    await settleCustomResources([resource(release)], invoke, folder);

  expect(asked).toEqual([
    ["Create", undefined],
    ["Update", "1.0.0"],
  ]);
});

test("a resource that a function refuses fails the start with the function's reason, and is asked for again", async () => {
  const { asked, invoke } = functionThat({ Status: "FAILED", Reason: "the data are from another release" });
  const start = () => settleCustomResources([resource("1.0.0")], invoke, folder);

  await expect(start()).rejects.toThrow(
    "data/Record (Custom::Record) failed: the data are from another release",
  );
  await expect(start()).rejects.toThrow();

  expect(asked).toEqual([
    ["Create", undefined],
    ["Create", undefined],
  ]);
});

test("an update that answers another id is refused, since CloudFormation would delete the resource with the id before", async () => {
  const { invoke } = functionThat({ Status: "SUCCESS" });
  const replacing = functionThat({ Status: "SUCCESS", PhysicalResourceId: "record-2" });
  await settleCustomResources([resource("1.0.0")], invoke, folder);

  await expect(settleCustomResources([resource("1.1.0")], replacing.invoke, folder)).rejects.toThrow(
    'data/Record was updated, and answered the id "record-2" in place of "record"',
  );
});

test.each([
  ["names another request", { Status: "SUCCESS", RequestId: "other" }, /names another request/],
  ["has no status", {}, /was answered wrongly/],
])("an answer that %s is refused, as CloudFormation refuses it", async (_, answer, message) => {
  const { invoke } = functionThat(answer);

  await expect(settleCustomResources([resource("1.0.0")], invoke, undefined)).rejects.toThrow(message);
});
