/** What all documentation pages load: the viewer, what starts it, and the service's own style. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { projectRoot } from "../../outputs.ts";

export interface File {
  readonly name: string;
  readonly content: Buffer;
}

/** Starts the viewer. It stands in a file of its own, because the page's policy lets no script run inside the page. */
const starter = `
const place = document.getElementById("reference");
Scalar.createApiReference(place, JSON.parse(place.dataset.configuration));
`;

/** Named by a digest of its content, so that browsers may keep it. */
const named = (name: string, content: Buffer): File => {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const extension = extname(name);
  return { name: `${name.slice(0, -extension.length)}-${digest}${extension}`, content };
};

const packaged = join(projectRoot, "node_modules/@scalar/api-reference/dist/browser/standalone.js");

const beside = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));

/** The viewer below its license, which has to go with every copy. The package comes without the text. */
const licensed = (): Buffer =>
  Buffer.concat([
    Buffer.from("/*! @scalar/api-reference, https://github.com/scalar/scalar\n\n"),
    beside("viewer-license.txt"),
    Buffer.from("*/\n"),
    readFileSync(packaged),
  ]);

const read = () => ({
  viewer: named("viewer.js", licensed()),
  start: named("start.js", Buffer.from(starter)),
  style: named("pages.css", beside("pages.css")),
});

let files: ReturnType<typeof read> | undefined;

/** The files by what they are. They are read once, since every page names them and the viewer has megabytes. */
export function viewerFiles() {
  files ??= read();
  return files;
}

/**
 * The samples that a page shows. The viewer has tabs for curl, `undici` and `python3` alone, and lists the others in a menu
 * behind them. So each language has a sample in sight.
 */
const samples: Readonly<Record<string, readonly string[]>> = {
  shell: ["curl"],
  node: ["undici"],
  js: ["fetch"],
  python: ["python3", "requests"],
};

/** All the viewer's languages and their libraries; what is no sample of ours is hidden. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  c: ["libcurl"],
  clojure: ["clj_http"],
  csharp: ["httpclient", "restsharp"],
  dart: ["http"],
  fsharp: ["httpclient"],
  go: ["native"],
  http: ["http1.1"],
  java: ["asynchttp", "nethttp", "okhttp", "unirest"],
  js: ["axios", "fetch", "jquery", "ofetch", "xhr"],
  julia: ["http"],
  kotlin: ["okhttp"],
  node: ["axios", "fetch", "ofetch", "undici"],
  objc: ["nsurlsession"],
  ocaml: ["cohttp"],
  php: ["curl", "guzzle", "laravel"],
  powershell: ["restmethod", "webrequest"],
  python: ["python3", "requests", "aiohttp", "httpx_sync", "httpx_async"],
  r: ["httr2"],
  ruby: ["native"],
  rust: ["reqwest"],
  shell: ["curl", "httpie", "wget"],
  swift: ["nsurlsession"],
};

const hiddenClients = Object.fromEntries(
  Object.entries(libraries).map(([language, names]) => [
    language,
    samples[language] === undefined ? true : names.filter((library) => !samples[language]?.includes(library)),
  ]),
);

/**
 * How the viewer shows a document. It calls the service alone: no fonts, telemetry, proxy, assistant or other service. It
 * keeps no credentials, so they are gone when the page is closed.
 */
export const configurationOf = (documentUrl: string, credentials: readonly string[]) => ({
  url: documentUrl,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: [credentials] },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "direct",
  hiddenClients,
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
});
