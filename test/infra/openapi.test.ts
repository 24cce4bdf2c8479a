/** The OpenAPI documents: what clients and their tools read. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { functions } from "../../functions/index.ts";
import { documentNames } from "../../infra/documents/openapi/areas.ts";
import { documentOf } from "../../infra/documents/openapi/document.ts";
import { requests } from "../../infra/documents/openapi/examples/requests.ts";
import { vocabulary } from "../../infra/documents/openapi/vocabulary.ts";
import { operations } from "../../infra/documents/openapi/words/operations.ts";
import { eventTypes } from "../../shared/events/types.ts";
import { unreadFields } from "../../shared/http/request/unread-fields.ts";
import { parseRequest } from "../../shared/http/request/validation.ts";
import { inboundCalls } from "../../shared/inbound/inbound-view.ts";
import { orderCalls } from "../../shared/orders/order-view.ts";
import { routesOf } from "../../shared/runtime/contract.ts";
import { shownCalls } from "../support/http/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "openapi-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("an independent linter finds nothing in the documents that `npm run openapi` writes", async () => {
  execFileSync(process.execPath, ["infra/documents/openapi/main.ts", folder]);
  const config = await createConfig({ extends: ["recommended-strict"] });

  const found = await Promise.all(
    documentNames.map((name) => lint({ ref: join(folder, `${name}.json`), config })),
  );

  expect(found.flat().map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

const fields = z.record(z.string(), z.unknown());

/** The fields that both values have, but not alike. */
function differences(sent: unknown, answered: unknown, path: readonly string[]): readonly string[] {
  const [left, right] = [fields.safeParse(sent), fields.safeParse(answered)];
  if (left.success && right.success)
    return Object.keys(left.data)
      .filter((name) => name in right.data)
      .flatMap((name) => differences(left.data[name], right.data[name], [...path, name]));
  if (Array.isArray(sent) && Array.isArray(answered))
    return sent.flatMap((one, position) => differences(one, answered[position], [...path, String(position)]));
  return sent === answered || path.length === 0 ? [] : [path.join(".")];
}

const described = z.looseObject({ examples: z.array(z.unknown()), format: z.optional(z.string()) });

/** Every schema with an example in a part of a document. */
const schemasIn = (value: unknown): readonly z.output<typeof described>[] => {
  if (typeof value !== "object" || value === null) return [];
  const found = described.safeParse(value);
  return [...(found.success ? [found.data] : []), ...Object.values(value).flatMap(schemasIn)];
};

describe("the document of all areas", () => {
  const { paths } = documentOf("all");

  test("has every route of every endpoint", () => {
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = Object.values(functions).flatMap((contract) =>
      contract.type === "endpoint" ? routesOf(contract).map(({ method, path }) => `${method} ${path}`) : [],
    );

    expect(documented.toSorted()).toEqual(routes.toSorted());
  });

  test("has the calls that records show as their actions, by the names of these", () => {
    const calls = shownCalls().map(({ operationId: action, method, route: path }) => ({
      action,
      method,
      path,
    }));

    expect(calls).toEqual(
      expect.arrayContaining([...Object.values(orderCalls), ...Object.values(inboundCalls)]),
    );
  });

  /** The endpoint that a call is one of. */
  const endpointAt = (method: string, path: string) => {
    const found = Object.values(functions).flatMap((contract) =>
      contract.type === "endpoint" &&
      routesOf(contract).some((route) => route.method === method && route.path === path)
        ? [contract]
        : [],
    );
    expect(found).toHaveLength(1);
    return found;
  };

  test.each(shownCalls())(
    "shows a body that its call takes: $operationId",
    ({ method, route, params, body }) => {
      for (const { request } of endpointAt(method, route)) {
        const { body: taken } = request.shape;

        expect(() => parseRequest(request, { params, query: {}, body })).not.toThrow();
        expect(taken && unreadFields(body, taken, []).warnings).toEqual([]);
      }
    },
  );

  test.each(shownCalls())("shows an answer that goes with the body: $operationId", ({ body, answer }) => {
    expect(differences(body, answer, [])).toEqual([]);
  });

  test("describes each call, and nothing else", () => {
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => String(Reflect.get(operation, "operationId"))),
    );
    const named = ids.filter((id) => !/At\d$/.test(id));

    expect(Object.keys(operations).toSorted()).toEqual(named.toSorted());
  });

  test("has a format in place of a pattern of times", () => {
    const schemaOf = (path: string, name: string) =>
      z
        .looseObject({ parameters: z.array(z.looseObject({ name: z.string(), schema: fields })) })
        .parse(paths[path]?.["get"])
        .parameters.find((one) => one.name === name)?.schema;
    const day = { anyOf: ["date", "date-time"].map((format) => ({ type: "string", format })) };

    expect(schemaOf("/apirest/v4/oms/inventory/stock", "as_of")).toEqual({
      type: "string",
      format: "date-time",
    });
    expect(schemaOf("/apirest/v4/oms/orders", "from_date")).toEqual(day);
    expect(JSON.stringify(documentOf("all"))).not.toContain("[2468][048]");
  });

  test("states the format of every time and day that the service answers", () => {
    const unstated = schemasIn(documentOf("all").components.schemas).filter(
      ({ examples: [example], format }) => /^\d{4}-\d\d-\d\d/.test(String(example)) && format === undefined,
    );

    expect(unstated).toEqual([]);
  });

  test("has an operation for each body that is stated as a whole", () => {
    const ids = shownCalls().map(({ operationId }) => operationId);

    expect(Object.keys(requests).filter((name) => !ids.includes(name))).toEqual([]);
  });

  test("uses every word of the vocabulary", () => {
    const text = JSON.stringify(documentOf("all"));
    const unused = vocabulary.filter((word) => {
      const name = word.split(".").at(-1) ?? word;
      return name !== "items" && !text.includes(`"${name}":`) && !text.includes(`"name":"${name}"`);
    });

    expect(unused).toEqual([]);
  });

  test.each([true, false])("refers to each of its components, if it has dry runs: %s", (hasDryRuns) => {
    const all = documentOf("all", { hasDryRuns });
    const text = JSON.stringify(all);
    const unused = Object.keys(all.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );

    expect(unused).toEqual([]);
  });

  test("has every type of event as a webhook, and the test of one", () => {
    expect(Object.keys(documentOf("oms").webhooks ?? {})).toEqual([...eventTypes, "webhook.test"]);
    expect(documentOf("wms")).not.toHaveProperty("webhooks");
  });

  /** Every list of words that a schema chooses from. */
  const choicesIn = (value: unknown): readonly (readonly unknown[])[] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) =>
          name === "enum" && Array.isArray(inner) ? [inner] : choicesIn(inner),
        );

  test("offers no words that differ in case alone, since generators make names of them", () => {
    const choices = choicesIn(documentOf("all"));
    const folded = choices.map((words) => words.map((word) => String(word).toLowerCase()));

    expect(choices).toContainEqual(["Yes", "Y", "No", "N"]);
    expect(folded.filter((words) => new Set(words).size < words.length)).toEqual([]);
  });

  test("takes ids in paths as the numbers that answers hold, and names as text", () => {
    const kinds = (path: string) =>
      JSON.stringify(paths[path]).match(/"in":"path".*?"type":("\w+"|\[.*?\])/)?.[1];

    expect(kinds("/apirest/v4/wms/recount/{correction_id}")).toBe('["string","integer"]');
    expect(kinds("/apirest/v4/oms/orders/{order}")).toBe('["string","integer"]');
    expect(kinds("/apirest/v4/oms/inventory/synsets/{synset}")).toBe('["string","integer"]');
    expect(kinds("/apirest/v4/oms/inventory/stock/{sku}/movements")).toBe('"string"');
  });
});
