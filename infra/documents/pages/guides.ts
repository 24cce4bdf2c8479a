/** The guides: Markdown of `docs/guides`, and the changelog, as HTML. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../../shared/http/pages/forms.ts";
import { eventKinds } from "../../../shared/publishing/event-kinds.ts";
import { projectRoot } from "../../paths.ts";
import { codeBlock } from "./html.ts";
import { slugOf } from "./model.ts";

export type Guide = ReturnType<typeof guideOf>;

export const changelog = "changelog";

const fileOf = (slug: string): string =>
  slug === changelog ? "CHANGELOG.md" : join("docs", "guides", `${slug}.md`);

/** The place in a guide for the event types, which come from the document. */
const eventTypes = "<!-- event types -->";

const typesOfEvents = (): string =>
  [
    "| Type | Meaning |",
    "|---|---|",
    ...eventKinds.flatMap(({ types }) =>
      Object.entries(types).map(([type, says]) => `| \`${type}\` | ${says} |`),
    ),
  ].join("\n");

/** The Markdown of a guide. */
export const guideText = (slug: string): string =>
  readFileSync(join(projectRoot, fileOf(slug)), "utf8").replace(eventTypes, typesOfEvents);

const plain = (tokens: readonly Token[]): string =>
  tokens.map(plainOf).join(" ").replaceAll(/\s+/g, " ").trim();

function plainOf(token: Token): string {
  if (token.type === "table")
    return [...token["header"], ...token["rows"].flat()].map(({ text }: { text: string }) => text).join(" ");
  if (token.type === "list") return token["items"].map(({ text }: { text: string }) => text).join(" ");
  return token.type === "html" ? "" : "text" in token ? String(token["text"]) : "";
}

/** The text without Markdown. A `*` within code is kept. */
const unmarked = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/`([^`]*)`/g, "$1");

/**
 * A guide below `base`, the path of its document's pages. Links to guides that the document lacks, and to
 * other files of the project, become plain text.
 * @returns also its first paragraph (`lead`), as plain text
 */
export function guideOf(slug: string, base: string, slugs: readonly string[]) {
  const marked = new Marked({ renderer: rendererOf(base, slugs) });
  const tokens = marked.lexer(guideText(slug));
  const [heading, ...rest] = tokens;
  if (heading?.type !== "heading") throw new Error(`${fileOf(slug)} must begin with its title`);
  const lead = rest.find(({ type }) => type === "paragraph");
  return {
    slug,
    title: unmarked(String(heading["text"])),
    lead: lead === undefined ? "" : unmarked(plainOf(lead)),
    html: marked.parser(rest),
    sections: sectionsOf(rest),
  };
}

/** Ids of headings. Repeated ones get a number, as on GitHub. */
function newIds(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const id = slugOf(title);
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  };
}

/** The parts of a guide with headings of their own, for the search and the table of contents. */
function sectionsOf(tokens: readonly Token[]) {
  const idOf = newIds();
  const starts = tokens.flatMap((token, place) => (isSection(token) ? [{ token, place }] : []));
  return [{ token: undefined, place: -1 }, ...starts].map(({ token, place }, number) => {
    const title = token === undefined ? "" : unmarked(token.text);
    const text = unmarked(plain(tokens.slice(place + 1, starts[number]?.place)));
    return { id: idOf(title), title, depth: token?.depth ?? 1, text };
  });
}

const isSection = (token: Token): token is Tokens.Heading =>
  token.type === "heading" && (token["depth"] === 2 || token["depth"] === 3);

const rendererOf = (base: string, slugs: readonly string[], idOf = newIds()) => ({
  html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith("<!--") ? "" : escapeHtml(text)),
  code: ({ text, lang = "" }: Tokens.Code) => codeBlock(text, lang),
  heading({ depth, text }: Tokens.Heading) {
    const title = unmarked(text);
    const id = idOf(title);
    return `<h${depth} id="${id}"><a href="#${id}">${escapeHtml(title)}</a></h${depth}>`;
  },
  link({ href, text }: Tokens.Link) {
    const shown = escapeHtml(unmarked(text));
    if (href.startsWith("#")) return `<a href="${escapeHtml(href)}">${shown}</a>`;
    if (/^https:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${shown}</a>`;
    const [, slug = "", fragment = ""] = /(?:^|\/)([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    return slugs.includes(slug) ? `<a href="${base}/${slug}${fragment}">${shown}</a>` : shown;
  },
});
