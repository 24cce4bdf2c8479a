/**
 * What all documentation pages load: the viewer (Scalar), the script that starts it, and the service's own
 * style.
 *
 * Scalar's own package installs 240 MB for one file. Its plugin for Fastify carries the same file with few
 * dependencies and serves it, so the file is requested from the plugin while the bundles are built.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import scalar from "@scalar/fastify-api-reference";
import { fastify } from "fastify";
import { projectRoot } from "../../outputs.ts";
import { asset, lasting } from "./assets.ts";

const license = join(projectRoot, "node_modules/@scalar/fastify-api-reference/LICENSE");

/** The viewer below its license, which every copy must include. */
async function viewer(): Promise<Buffer> {
  const server = fastify();
  await server.register(scalar, { configuration: { content: {} } });
  const { statusCode, body } = await server.inject("/reference/js/scalar.js");
  await server.close();
  if (statusCode !== 200) throw new Error("@scalar/fastify-api-reference no longer serves its viewer there");
  const notice = `/*! Scalar, https://github.com/scalar/scalar\n\n${readFileSync(license, "utf8")}*/\n`;
  return Buffer.from(notice + body);
}

const read = async () => ({
  viewer: lasting("viewer.js", await viewer()),
  start: await asset("start.js", "infra/documents/pages/browser/start.ts"),
  style: await asset("pages.css", "infra/documents/pages/pages.css"),
});

let files: ReturnType<typeof read> | undefined;

/** The files, read once: every page names them, and the viewer has megabytes. */
export function viewerFiles() {
  files ??= read();
  return files;
}

/** The viewer's languages for samples that are hidden, since it lists all but three of them in a menu. */
const hiddenLanguages = [
  "c",
  "clojure",
  "csharp",
  "dart",
  "fsharp",
  "go",
  "http",
  "java",
  "julia",
  "kotlin",
  "objc",
  "ocaml",
  "php",
  "powershell",
  "r",
  "ruby",
  "rust",
  "swift",
];

/** Leaves samples for curl, `undici`, `fetch`, `python3` and `requests`. */
const hiddenClients = {
  ...Object.fromEntries(hiddenLanguages.map((language) => [language, true])),
  js: ["axios", "jquery", "ofetch", "xhr"],
  node: ["axios", "fetch", "ofetch"],
  python: ["aiohttp", "httpx_sync", "httpx_async"],
  shell: ["httpie", "wget"],
};

/**
 * How the viewer shows a document. It calls the service alone: no fonts, telemetry, proxy, assistant or other
 * service. It stores no credentials, so they are gone when the page is closed.
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
