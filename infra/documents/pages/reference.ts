/** The pages of a document: its calls by kind of record, its guides, and the search index. */

import { escapeHtml } from "../../../shared/http/pages/forms.ts";
import type { DocumentName } from "../../../shared/runtime/contract.ts";
import { documents } from "../openapi/areas.ts";
import type { Schema } from "../openapi/schemas.ts";
import { owners } from "../openapi/security.ts";
import { type File, htmlPage, textFile } from "./assets.ts";
import { callSection, recordSection } from "./call.ts";
import { type Guide, guideOf } from "./guides.ts";
import { inlineText, objectsIn, recordOf } from "./html.ts";
import { type Call, type Group, type Reference, referenceOf } from "./model.ts";
import { placeOf, shared, sharedAssets } from "./places.ts";
import { searchEntries } from "./search.ts";

/** A group with the address of its page. The first group is on the first page. */
interface PlacedGroup extends Group {
  readonly url: string;
  /** The records that its calls are the first to return. */
  readonly records: readonly string[];
}

const schemasOf = ({ responses, requestBody, path }: Call): readonly Schema[] => {
  const contents = [path === undefined ? requestBody?.content : responses["200"]?.content];
  return contents.flatMap((content) => (content === undefined ? [] : [content["application/json"].schema]));
};

/** The records that a schema references, in order, with those that these reference. */
function recordsNamedIn(field: Schema, all: Reference["records"]): readonly string[] {
  const record = recordOf(field);
  const named = record === undefined ? undefined : all[record];
  return [
    ...(record === undefined ? [] : [record]),
    ...(named === undefined ? [] : recordsNamedIn(named, all)),
    ...(field.items === undefined ? [] : recordsNamedIn(field.items, all)),
    ...(field.anyOf ?? []).flatMap((choice) => recordsNamedIn(choice, all)),
    ...Object.values(field.properties ?? {}).flatMap((inner) => recordsNamedIn(inner, all)),
  ];
}

/** A record of at most one field is clear from the example. */
const isExplained = (field: Schema | undefined): field is Schema =>
  field !== undefined &&
  (field.anyOf !== undefined ||
    objectsIn(field).some(({ properties = {} }) => Object.keys(properties).length > 1));

type Site = Awaited<ReturnType<typeof siteOf>>;

async function siteOf(name: DocumentName) {
  const { base } = placeOf(name);
  const reference = referenceOf(name);
  const slugs = documents[name].guides;
  const seen = new Set<string>();
  const groups = reference.groups.map((group, position): PlacedGroup => {
    const url = position === 0 ? base : `${base}/${group.slug}`;
    const found = group.calls.flatMap(schemasOf).flatMap((field) => recordsNamedIn(field, reference.records));
    const records = [...new Set(found)].filter(
      (record) => !seen.has(record) && isExplained(reference.records[record]),
    );
    for (const record of records) seen.add(record);
    return { ...group, url, records };
  });
  const links = new Map(
    groups.flatMap(({ url, records }) =>
      records.map((record) => [record, `${url}#record-${record}`] as const),
    ),
  );
  return {
    name,
    base,
    reference,
    groups,
    guides: slugs.map((slug) => guideOf(slug, base, slugs)),
    links,
    catalogue: `${base}/errors#messages`,
    assets: await sharedAssets(),
  };
}

const link = (url: string, text: string, current: string): string =>
  `<a href="${url}"${url === current ? ' aria-current="page"' : ""}>${text}</a>`;

function navigation({ base, guides, groups }: Site, current: string): string {
  const items = groups.map(({ name, url, calls }) => {
    const links = calls.map(
      ({ operationId, summary, method, path }) =>
        `<li><a href="${url}#${operationId}">${path === undefined ? "" : `<span class="method ${method.toLowerCase()}">${method}</span> `}${escapeHtml(summary)}</a></li>`,
    );
    return `<li><details${url === current ? " open" : ""}><summary>${escapeHtml(name)}</summary><ul>${links.join("")}</ul></details></li>`;
  });
  return `<nav id="nav" popover aria-label="Pages"><p>Guides</p><ul><li>${link(base, "Overview", current)}</li>${guides
    .map(({ slug, title }) => `<li>${link(`${base}/${slug}`, escapeHtml(title), current)}</li>`)
    .join("")}</ul><p>Reference</p><ul>${items.join("")}</ul></nav>`;
}

function header({ name, base, reference }: Site): string {
  const { signOut, documentUrl, consoleUrl } = placeOf(name);
  const toConsole = consoleUrl === undefined ? "" : `<a href="${consoleUrl}">Console</a>`;
  const form =
    signOut === undefined
      ? ""
      : `<form method="post" action="${signOut}" data-sign-out><button>Sign out</button></form>`;
  return [
    '<header class="top"><button type="button" class="menu" popovertarget="nav">Menu</button>',
    `<a class="brand" href="${base}">${escapeHtml(reference.title)}</a>`,
    '<button type="button" class="search" data-search hidden>Search <kbd>/</kbd></button>',
    `<div class="tools">${toConsole}<a href="${documentUrl}">OpenAPI</a>`,
    `<button type="button" data-credentials hidden>Credentials</button>${form}</div></header>`,
  ].join("");
}

const secret: ReadonlySet<string> = new Set(["Key", "Authorization", "Token"]);

function credentialsDialog({ groups }: Site): string {
  const taken = new Set(groups.flatMap(({ calls }) => calls.flatMap(({ credentials }) => credentials)));
  const sets = Object.entries(owners)
    .filter(([, { headers }]) => headers.every((header) => taken.has(header)))
    .map(([owner, { title, headers }]) => {
      const inputs = headers.map(
        (header) =>
          `<label><span>${header}</span><input type="${secret.has(header) ? "password" : "text"}" ` +
          `data-credential="${owner}.${header}" autocomplete="off" spellcheck="false" autocapitalize="none"></label>`,
      );
      return `<fieldset><legend>${title}</legend>${inputs.join("")}</fieldset>`;
    });
  return [
    '<dialog id="credentials" aria-labelledby="credentials-title"><form method="dialog">',
    '<h2 id="credentials-title">Credentials</h2>',
    "<p>They are sent as headers of the calls that you test, and kept in this tab until you close it.</p>",
    ...sets,
    '<div><button class="primary" value="use">Use</button><button type="button" data-forget>Forget</button></div>',
    "</form></dialog>",
  ].join("");
}

const searchDialog = [
  '<dialog id="search" aria-label="Search"><form method="dialog" role="search">',
  '<input type="search" aria-label="Search the documentation" placeholder="Calls, fields, errors, guides" ',
  'autocomplete="off" spellcheck="false"><button>Close</button></form>',
  '<p class="count" role="status"></p><ol></ol></dialog>',
].join("");

function pageOf(site: Site, url: string, title: string, content: string): string {
  return htmlPage({
    title: `${title} | ${site.reference.title}`,
    folder: shared,
    assets: site.assets,
    body: `<body data-base="${site.base}" data-language="curl"><a class="skip" href="#main">Skip to the content</a>
${header(site)}
<div class="layout">${navigation(site, url)}
<main id="main" tabindex="-1">${content}</main></div>
${credentialsDialog(site)}${searchDialog}
</body>`,
  });
}

const callsOf = (site: Site, { calls, records }: PlacedGroup): string =>
  [
    ...calls.map((call) => callSection(call, site.links, site.catalogue)),
    ...records.map((record) => recordSection(record, site.reference.records[record] ?? {}, site.links)),
  ].join("\n");

function endpointsOf(groups: readonly PlacedGroup[]): string {
  const rows = groups.flatMap(({ calls, url }) =>
    calls
      .filter(({ path }) => path !== undefined)
      .map(
        ({ operationId, method, path, summary }) =>
          `<li data-call="${method} ${path}"><a href="${url}#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></a> <span>${escapeHtml(summary)}</span></li>`,
      ),
  );
  return `<section class="prose"><h2 id="endpoints"><a href="#endpoints">Endpoints</a></h2><ul class="rows">${rows.join("")}</ul></section>`;
}

const guideList = ({ guides, base }: Site): string =>
  `<section class="prose"><h2 id="guides"><a href="#guides">Guides</a></h2><ul class="rows">${guides
    .map(
      ({ slug, title, lead }) =>
        `<li><a href="${base}/${slug}">${escapeHtml(title)}</a> <span>${escapeHtml(lead)}</span></li>`,
    )
    .join("")}</ul></section>`;

function overview(site: Site): string {
  const { name, groups, guides, reference } = site;
  const { title, description } = documents[name];
  const [first] = groups;
  const start = guides.find(({ slug }) => slug === "quick-start") ?? guides[0];
  const lead =
    start === undefined ? "" : ` <a href="${site.base}/${start.slug}">${escapeHtml(start.title)}</a>`;
  const calls = first === undefined ? "" : callsOf(site, first);
  const content = [
    `<h1>${escapeHtml(title)}</h1><p>${inlineText(description)}${lead}</p>`,
    calls,
    guideList(site),
    endpointsOf(groups),
    `<p>Version ${escapeHtml(reference.version)}</p>`,
  ];
  return pageOf(site, site.base, "Overview", content.join(""));
}

const groupPage = (site: Site, group: PlacedGroup): string =>
  pageOf(site, group.url, group.name, `<h1>${escapeHtml(group.name)}</h1>${callsOf(site, group)}`);

function guidePage(site: Site, { slug, title, html, sections }: Guide): string {
  const contents = sections
    .filter(({ depth }) => depth === 2)
    .map(({ id, title: heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  const aside =
    contents.length < 2
      ? ""
      : `<aside class="contents" aria-label="On this page"><p>On this page</p><ul>${contents.join("")}</ul></aside>`;
  return pageOf(
    site,
    `${site.base}/${slug}`,
    title,
    `<div class="guide"><article class="prose"><h1>${escapeHtml(title)}</h1>${html}</article>${aside}</div>`,
  );
}

/** The files of a document's pages. @throws Error if two pages would have the same address */
export async function referenceFiles(name: DocumentName): Promise<readonly File[]> {
  const site = await siteOf(name);
  const { groups, guides, base } = site;
  const pages = [
    ["index", overview(site)],
    ...groups.slice(1).map((group) => [group.slug, groupPage(site, group)]),
    ...guides.map((guide) => [guide.slug, guidePage(site, guide)]),
  ] as const;
  const names = pages.map(([slug]) => slug);
  const twice = names.find((slug, place) => names.indexOf(slug ?? "") !== place);
  if (twice !== undefined) throw new Error(`two pages of ${base} would be ${twice}`);
  return [
    ...pages.map(([slug, html]) => textFile(`${slug}.html`, html ?? "")),
    textFile("search.json", JSON.stringify(searchEntries(guides, groups, site.reference.records, base))),
  ];
}
