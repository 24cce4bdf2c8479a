/**
 * The common parts of all pages for browsers: a document as HTML, and scripts and styles as separate files,
 * since the policy of pages allows nothing inline (`shared/http/pages/files.ts`).
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { build, type Metafile } from "esbuild";
import { escapeHtml } from "../../../shared/http/pages/forms.ts";
import { projectRoot } from "../../paths.ts";

/** A file of a page, as in the folder of the page's function. */
export interface File {
  readonly name: string;
  readonly content: Buffer;
}

export const textFile = (name: string, content: string): File => ({ name, content: Buffer.from(content) });

/** Named by a digest of its content, so that browsers may cache it forever. */
export function lasting(name: string, content: Uint8Array): File {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const extension = extname(name);
  return { name: `${name.slice(0, -extension.length)}-${digest}${extension}`, content: Buffer.from(content) };
}

/**
 * A script (`.js`) or style (`.css`) for browsers, bundled and minified. `entry` is its TypeScript or CSS
 * from the project's root; scripts lie in folders named `browser`, which `tsconfig.browser.json` covers.
 * It begins with the licenses of the packages in it, which every copy must include.
 */
export async function asset(name: string, entry: string): Promise<File> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    loader: { ".md": "text" },
    target: ["chrome120", "firefox121", "safari17"],
    logLevel: "warning",
  });
  return lasting(name, Buffer.from(licensesOf(metafile) + (outputFiles[0]?.text ?? "")));
}

function licensesOf({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).flatMap(
    (path) => /\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  const texts = [...new Set(packages)]
    .toSorted()
    .map((name) => `${name}\n\n${readFileSync(join(projectRoot, "node_modules", name, "LICENSE"), "utf8")}`);
  return texts.length === 0 ? "" : `/*!\n${texts.join("\n\n")}*/\n`;
}

interface PageText {
  readonly title: string;
  /** The path below which the assets are served. */
  readonly folder: string;
  readonly assets: readonly File[];
  /** The `body` element. */
  readonly body: string;
}

/** A page that loads its assets. Scripts run once the page is read. */
export const htmlPage = ({ title, folder, assets, body }: PageText): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${assets.map(({ name }) => linkTo(`${folder}/${name}`)).join("\n")}
</head>
${body}
</html>
`;

const linkTo = (url: string): string =>
  url.endsWith(".css") ? `<link rel="stylesheet" href="${url}">` : `<script src="${url}" defer></script>`;
