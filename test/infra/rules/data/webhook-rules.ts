import { describe, expect, test } from "vitest";
import { functions } from "../../../../functions/index.ts";
import { loopbackVariable } from "../../../../shared/runtime/shared-names.ts";
import { type Assembly, nameOf, resources } from "../../apps/assembly.ts";
import {
  deployedFunction,
  deployedFunctions,
  eventSourceOf,
  only,
  permissionsOf,
  tableOf,
} from "../../apps/deployed.ts";
import { at, list, namesIn } from "../../apps/json.ts";

/** What holds for webhooks. */
export const webhookRules = (get: () => Assembly): void => {
  describe("webhooks", () => {
    const sender = "jobs/send-webhooks";

    test("have secrets that the sender's role alone can read; who creates, rotates and deletes puts and deletes", () => {
      const arn = `${nameOf(tableOf(get(), "secrets"))}.Arn`;
      const allowed = new Map(
        [...deployedFunctions(get())].map(([key, lambda]) => [
          key,
          permissionsOf(get(), lambda).filter((permission) => permission.includes(arn)),
        ]),
      );
      const blindly = (...actions: readonly string[]) =>
        actions.map(
          (action) =>
            `dynamodb:${action} on ${arn} if {"StringEqualsIfExists":{"dynamodb:ReturnValues":"NONE"}}`,
        );

      const { [sender]: ofSender, ...others } = Object.fromEntries(
        [...allowed].filter(([, permissions]) => permissions.length > 0),
      );

      expect(ofSender).toContain(`dynamodb:GetItem on ${arn}`);
      expect(others).toEqual({
        "oms/webhooks/create-webhook": blindly("PutItem"),
        "oms/webhooks/delete-webhook": blindly("DeleteItem"),
        "oms/webhooks/rotate-secret": blindly("DeleteItem", "PutItem"),
      });
    });

    test("lead to the functions' own machine in no deployed function", () => {
      const variables = [...deployedFunctions(get()).values()].flatMap(({ properties }) =>
        namesIn(at(properties, "Environment", "Variables")),
      );

      expect(variables.length).toBeGreaterThan(0);
      expect(variables).not.toContain(loopbackVariable);
      for (const { templates } of [get()])
        for (const template of templates.values())
          expect(JSON.stringify(template)).not.toContain(loopbackVariable);
    });

    test("have more senders at a time than jobs have workers, since receivers may be slow", () => {
      const most = (kind: string) =>
        Number(at(eventSourceOf(get(), kind).properties, "ScalingConfig", "MaximumConcurrency"));

      expect(most("webhook")).toBe(50);
      expect(most("recount")).toBe(5);
    });

    test("that are switched off raise an alarm", () => {
      const watching = resources(get(), "AWS::CloudWatch::Alarm").filter(
        ({ properties }) => at(properties, "MetricName") === "webhooks_disabled",
      );

      const { properties } = only(watching, "alarms on webhooks");
      const environment = at(deployedFunction(get(), sender).properties, "Environment", "Variables");
      expect(properties).toMatchObject({
        Namespace: "OrderInventoryWarehouse/oiw",
        Threshold: 1,
        Statistic: "Sum",
      });
      expect(list(at(properties, "Dimensions"))).toEqual([
        { Name: "service", Value: at(environment, "DEPLOYMENT") },
      ]);
    });

    test("are read by no key that may only read", () => {
      const endpoints = Object.entries(functions).filter(([key]) => key.startsWith("oms/webhooks/"));

      expect(endpoints).toHaveLength(10);
      for (const [, contract] of endpoints) expect(contract).toMatchObject({ auth: "oms", writes: true });
    });
  });
};
