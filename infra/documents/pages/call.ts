/** A call as HTML: its request and answers beside samples, and the form that sends it. */
import { escapeHtml } from "../../../shared/http/pages/forms.ts";
import type { Parameter } from "../openapi/operation.ts";
import type { Schema } from "../openapi/schemas.ts";
import { owners } from "../openapi/security.ts";
import { codeBlock, fieldItem, fieldList, inlineText, objectsIn, type RecordLinks, typeOf } from "./html.ts";
import { json, literal } from "./literals.ts";
import type { Call } from "./model.ts";
import { languages, samplesOf } from "./samples.ts";

const parametersOf = (call: Call, place: Parameter["in"], title: string, links: RecordLinks): string => {
  const found = call.parameters.filter((one) => one.in === place);
  if (found.length === 0) return "";
  const items = found.map(({ name, schema, description, required = false }) =>
    fieldItem({ name, field: { ...schema, description }, required }, links),
  );
  return `<h3>${title}</h3><ul class="fields">${items.join("")}</ul>`;
};

/** A body that is a list is explained by its elements. */
const bodyFields = (schema: Schema, links: RecordLinks): string =>
  objectsIn(schema)
    .map((object) => fieldList(object, links))
    .join("<p>or</p>");

const bodyOf = ({ requestBody }: Call, links: RecordLinks): string => {
  if (requestBody === undefined) return "";
  const { schema } = requestBody.content["application/json"];
  const isList = schema.type === "array" ? " (a list)" : "";
  return `<h3>Body${isList}</h3>${bodyFields(schema, links)}`;
};

function responseOf({ responses }: Call, links: RecordLinks): string {
  const schema = responses["200"]?.content?.["application/json"].schema;
  if (schema === undefined) return "";
  return `<details class="more"><summary><strong>Response fields</strong></summary>${bodyFields(schema, links)}</details>`;
}

/** The failures of a call, each with an example. For webhooks, the receivers answer them. */
function errorsOf({ responses, path }: Call, catalogue: string): string {
  const others = Object.entries(responses).filter(([status]) => status !== "200");
  const items = others.map(([status, { description, content }]) => {
    const example = content?.["application/json"].example;
    const line = `<strong>${escapeHtml(status)}</strong> ${inlineText(description)}`;
    if (example === undefined) return `<li>${line}</li>`;
    return `<li><details><summary>${line}</summary>${codeBlock(literal(example, json), "json")}</details></li>`;
  });
  const more = path === undefined ? "" : ` <a href="${catalogue}">All messages</a>`;
  return `<h3>${path === undefined ? "Answers of your receiver" : "Errors"}${more}</h3><ul class="errors">${items.join("")}</ul>`;
}

/** Whose credentials a call takes. A sign-in takes some of those of a device's other calls. */
const ownerOf = ({ credentials }: Call): string | undefined =>
  Object.entries(owners).find(([, { headers }]) => credentials.every((one) => headers.includes(one)))?.[0];

/** A field of the form. Only values of the example are preselected. */
function input({ name, in: place, required = false, schema, example, description }: Parameter): string {
  const common = `data-in="${place}" data-name="${escapeHtml(name)}" title="${escapeHtml(description)}"`;
  const label = `<span>${escapeHtml(name)}${required ? " <em>required</em>" : ""}</span>`;
  if (name === "dry_run")
    return `<label class="check"><input type="checkbox" ${common} checked><span>Dry run: check the call, store nothing</span></label>`;
  if (schema.enum !== undefined && !required) {
    const options = schema.enum.map((value) => `<option>${escapeHtml(String(value))}</option>`);
    return `<label>${label}<select ${common}><option value=""></option>${options.join("")}</select></label>`;
  }
  const hint = schema.default === undefined ? "" : ` placeholder="${escapeHtml(String(schema.default))}"`;
  const value = required && example !== undefined ? ` value="${escapeHtml(String(example))}" required` : hint;
  return `<label>${label}<input ${common}${value} autocomplete="off" spellcheck="false"></label>`;
}

/** The form that sends the call. Its fields have no names, so a browser never puts them into an address. */
function formOf(call: Call): string {
  const {
    dryRuns = [],
    needed = [],
    optional = [],
  } = Object.groupBy(call.parameters, ({ name, required = false }) =>
    name === "dry_run" ? "dryRuns" : required ? "needed" : "optional",
  );
  const more = `<details><summary>Optional parameters</summary>${optional.map(input).join("")}</details>`;
  const fields = [
    ...needed.map(input),
    optional.length === 0 ? "" : more,
    bodyInput(call),
    ...dryRuns.map(input),
  ];
  const sent = `data-method="${call.method}" data-path="${call.path}"`;
  const caller = `data-owner="${ownerOf(call)}" data-headers="${call.credentials.join(" ")}"`;
  return [
    `<template><form class="try" method="post" ${sent} ${caller}>`,
    ...fields,
    '<div><button class="primary">Send</button><button type="button" data-credentials>Credentials</button></div>',
    '<p class="outcome" role="status"></p><div class="answer"></div></form></template>',
  ].join("");
}

function bodyInput({ requestBody }: Call): string {
  if (requestBody === undefined) return "";
  const text = literal(requestBody.content["application/json"].example, json);
  const rows = Math.min(text.split("\n").length, 18);
  return `<label><span>Body</span><textarea data-in="body" rows="${rows}" spellcheck="false">${escapeHtml(text)}</textarea></label>`;
}

const languageButtons = `<div class="languages" role="group" aria-label="Language of the samples">${Object.entries(
  languages,
)
  .map(([language, title]) => `<button type="button" data-choose="${language}">${title}</button>`)
  .join("")}</div>`;

function requestPanel(call: Call): string {
  if (call.path === undefined) return "";
  const samples = Object.entries(samplesOf(call)).map(
    ([language, code]) => `<div class="sample ${language}">${codeBlock(code, language)}</div>`,
  );
  return [
    `<div class="panel"><div class="bar">${languageButtons}`,
    '<button type="button" class="tryit primary" hidden aria-expanded="false">Test request</button></div>',
    ...samples,
    formOf(call),
    "</div>",
  ].join("");
}

/** What the call answers, or what is posted to a webhook. */
function answerPanel({ path, requestBody, responses }: Call): string {
  const content = path === undefined ? requestBody?.content : responses["200"]?.content;
  if (content === undefined) return "";
  const title = path === undefined ? "Body" : "Response 200";
  return `<div class="panel"><div class="bar"><span>${title}</span></div>${codeBlock(literal(content["application/json"].example, json), "json")}</div>`;
}

const routeOf = ({ method, path, alsoAt }: Call): string => {
  if (path === undefined) return "";
  const also =
    alsoAt.length === 0 ? "" : `<p>Also at ${alsoAt.map((one) => `<code>${one}</code>`).join(", ")}</p>`;
  return `<p><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>${also}`;
};

/** A call: text on the left, samples on the right. `catalogue` is the address of the errors' guide. */
export function callSection(call: Call, links: RecordLinks, catalogue: string): string {
  const { operationId: id, summary, description } = call;
  const title = call.path === undefined ? `<code>${escapeHtml(summary)}</code>` : escapeHtml(summary);
  const text = [
    `<h2 id="${id}-title"><a href="#${id}">${title}</a></h2>`,
    routeOf(call),
    `<p>${inlineText(description)}</p>`,
    parametersOf(call, "path", "Path parameters", links),
    parametersOf(call, "query", "Query parameters", links),
    parametersOf(call, "header", "Headers", links),
    bodyOf(call, links),
    responseOf(call, links),
    errorsOf(call, catalogue),
  ];
  return `<section class="call" id="${id}" aria-labelledby="${id}-title">
<div class="text">${text.join("")}</div>
<div class="aside">${requestPanel(call)}${answerPanel(call)}</div>
</section>`;
}

/** A record that answers show: its fields, or the records that it is one of. */
export function recordSection(name: string, schema: Schema, links: RecordLinks): string {
  const id = `record-${name}`;
  return [
    `<section class="record" id="${id}" aria-labelledby="${id}-title"><div class="text">`,
    `<h2 id="${id}-title"><a href="#${id}">The ${name} record</a></h2>`,
    bodyFields(schema, links) || `<p>A ${typeOf(schema, links)}.</p>`,
    "</div></section>",
  ].join("");
}
