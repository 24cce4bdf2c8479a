/** The search index of a document's pages. */
import type { Schema } from "../openapi/schemas.ts";
import type { Guide } from "./guides.ts";
import { objectsIn } from "./html.ts";
import type { Call, Group, Reference } from "./model.ts";

/** A place that the search finds: its address, title, kind and text. The page's script reads it as a list. */
export type Entry = readonly [url: string, title: string, kind: string, text: string];

const namesIn = (field: Schema): readonly string[] =>
  objectsIn(field).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, inner]) => [name, ...namesIn(inner)]),
  );

function entryOf(call: Call, url: string): Entry {
  const { operationId, summary, description, method, path = "", parameters, requestBody, responses } = call;
  const bodies = [requestBody?.content, responses["200"]?.content];
  const names = new Set([
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap((content) =>
      content === undefined ? [] : namesIn(content["application/json"].schema),
    ),
  ]);
  const route = path === "" ? "" : `${method} ${path}. `;
  return [
    `${url}#${operationId}`,
    summary,
    path === "" ? "Event" : "Call",
    `${route}${description} ${[...names].join(" ")}`,
  ];
}

/** A record that calls return, with the names of its fields. */
const recordEntry = (name: string, field: Schema, url: string): Entry => [
  `${url}#record-${name}`,
  `The ${name} record`,
  "Record",
  [...new Set(namesIn(field))].join(" "),
];

export const searchEntries = (
  guides: readonly Guide[],
  groups: readonly (Group & { readonly url: string; readonly records: readonly string[] })[],
  records: Reference["records"],
  base: string,
): readonly Entry[] => [
  ...guides.flatMap(({ slug, title, sections }) =>
    sections.map(
      ({ id, title: heading, text }): Entry => [
        `${base}/${slug}${id === "" ? "" : `#${id}`}`,
        heading === "" ? title : `${title}: ${heading}`,
        "Guide",
        text,
      ],
    ),
  ),
  ...groups.flatMap(({ calls, records: named, url }) => [
    ...calls.map((call) => entryOf(call, url)),
    ...named.map((name) => recordEntry(name, records[name] ?? {}, url)),
  ]),
];
