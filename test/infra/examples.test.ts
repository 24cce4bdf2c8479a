/** The answers and events that the documents show: they must be such as the service gives. */

import { expect, test } from "vitest";
import * as z from "zod";
import { documentOf } from "../../infra/documents/openapi/document.ts";
import { answers } from "../../infra/documents/openapi/examples/answers.ts";
import { events } from "../../infra/documents/openapi/examples/events.ts";
import { records } from "../../infra/documents/openapi/examples/records.ts";
import { statusIds } from "../../shared/orders/order.ts";

const { paths, webhooks = {}, components } = documentOf("all");

type Fields = Readonly<Record<string, unknown>>;

/** Every object within a value. */
const objectsIn = (value: unknown): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  const found = z.record(z.string(), z.unknown()).safeParse(value);
  return found.success ? [found.data, ...Object.values(found.data).flatMap(objectsIn)] : [];
};

/** Every object of the examples, by what shows it. */
const shown = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([name, described]) =>
  objectsIn(described)
    .filter((place) => "schema" in place && "example" in place)
    .flatMap(({ example }) => objectsIn(example).map((fields) => ({ name, fields }))),
);

const states = new Map<unknown, number>(Object.entries(statusIds));

/** Pairs of fields of which a record has one. */
const eitherOr = [
  ["qty", "qty_in_bin"],
  ["replenishment_id", "return_id"],
  ["product_id", "synset_id"],
] as const;

test.each<readonly [says: string, wrong: (fields: Fields) => boolean]>([
  [
    "available is on_hand less reserved",
    ({ on_hand, reserved, available }) =>
      available !== undefined && on_hand !== undefined && available !== Number(on_hand) - Number(reserved),
  ],
  [
    "remaining is what is neither picked nor put away",
    ({ quantity, picked, put_away, remaining }) =>
      remaining !== undefined && remaining !== Number(quantity) - Number(picked ?? put_away),
  ],
  [
    "status_id is that of the status",
    ({ status, status_id }) => status_id !== undefined && states.get(status) !== status_id,
  ],
  [
    "an order is shipped or cancelled where it has a time for it",
    ({ status, shipped_at, cancelled_at }) =>
      shipped_at !== undefined &&
      ((shipped_at !== null) !== (status === "Shipped") ||
        ((cancelled_at ?? null) !== null) !== (status === "Cancelled")),
  ],
  [
    "a job is finished where it has a time for it",
    ({ queued_at, finished_at, status }) =>
      queued_at !== undefined && (finished_at !== null) !== (status !== "queued"),
  ],
  [
    "a job that was applied has no reason",
    ({ queued_at, reason, status }) => queued_at !== undefined && (reason !== null) !== (status === "failed"),
  ],
  [
    "a webhook that sends was not switched off",
    ({ active, disabled_reason }) =>
      disabled_reason !== undefined && active === true && disabled_reason !== null,
  ],
  ["EACH is one unit", ({ uom, quantity }) => uom === "EACH" && quantity !== 1],
  [
    "a success does not say what is wrong",
    ({ success, message }) => success === true && /required|must/.test(String(message)),
  ],
  [
    "of two ways to say something there is one",
    (fields) =>
      eitherOr.some((names) => names.every((name) => fields[name] !== undefined && fields[name] !== null)),
  ],
])("in every example %s", (_, wrong) => {
  expect(shown.filter(({ fields }) => wrong(fields))).toEqual([]);
});

test("an event of a creation shows no earlier values, and any other event shows values that have changed", () => {
  const samples = Object.entries(webhooks).flatMap(([type, described]) =>
    objectsIn(described)
      .filter(({ example }) => example !== undefined)
      .flatMap(({ example }) => objectsIn(example).slice(0, 1))
      .map(({ previous, data }) => ({ type, previous, data: objectsIn(data)[0] ?? {} })),
  );

  for (const { type, previous, data } of samples) {
    if (type.endsWith(".created") || type === "webhook.test") expect([type, previous]).toEqual([type, null]);
    for (const [field, value] of Object.entries(objectsIn(previous)[0] ?? {}))
      expect([type, field, value]).not.toEqual([type, field, data[field]]);
  }
  expect(samples).not.toEqual([]);
});

test("examples are stated of calls, records and events that there are", () => {
  const known = new Set([
    ...objectsIn(paths).map(({ operationId }) => operationId),
    ...Object.keys(components.schemas),
    ...Object.keys(webhooks),
  ]);

  expect([answers, records, events].flatMap(Object.keys).filter((name) => !known.has(name))).toEqual([]);
});
