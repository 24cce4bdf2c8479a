/** The files of a page, which the bundler puts next to the code (docs/decisions.md, Documentation pages). */
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { notFound } from "../../common/problem.ts";
import type { HttpEvent } from "../http-handler.ts";
import { type HttpResponse, nosniff } from "../responses.ts";

/** In a bundle, the module's folder is the function's own. */
const folder = join(import.meta.dirname, "files");

/** Names that contain a digest of the content, so browsers may cache the file for good. */
const lasting = /^[a-z]+-[0-9a-f]{12}\.(?:js|css)$/;

/** Names of pages, as in addresses. Files with other names have routes of their own. */
const paged = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What the pages' search reads. */
const searchIndex = "search.json";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

/** Scripts and styles may only be files of the service: nothing inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every file. With `same-origin`, other sites do not learn the page's address, but forms do. */
const always = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  ...nosniff,
} as const;

/** How long browsers keep a file: `unsaved` is for some users only, `checked` changes with deployments. */
const caching = {
  unsaved: "no-store",
  checked: "no-cache",
  lasting: "public, max-age=31536000, immutable",
} as const;
type Caching = keyof typeof caching;

const unpacked = promisify(gunzip);
const read = new Map<string, Promise<Buffer>>();

/** A file, compressed with gzip. An instance reads each file once. */
function readCompressed(name: string): Promise<Buffer> {
  const known = read.get(name);
  if (known !== undefined) return known;
  const reading = readFile(join(folder, `${name}.gz`));
  read.set(name, reading);
  reading.catch(() => read.delete(name));
  return reading;
}

/** Whether an `Accept-Encoding` header accepts gzip: by name or by `*`, without the weight 0. */
export const takesGzip = (accepted: string): boolean =>
  accepted
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()))
    .some(([coding, weight = ""]) => (coding === "gzip" || coding === "*") && !/^q=0(?:\.0*)?$/.test(weight));

/** The response with a file of the page, compressed if the client accepts that. */
export async function file({ headers }: HttpEvent, name: string, kept: Caching): Promise<HttpResponse> {
  const bytes = await readCompressed(name);
  const gzip = takesGzip(headers["accept-encoding"] ?? "");
  return {
    statusCode: 200,
    headers: {
      ...always,
      "content-type": types[extname(name)] ?? "application/octet-stream",
      "cache-control": caching[kept],
      vary: "accept-encoding",
      ...(gzip ? { "content-encoding": "gzip" } : {}),
    },
    body: (gzip ? bytes : await unpacked(bytes)).toString("base64"),
    isBase64Encoded: true,
  };
}

/** The text of a file of the page. */
export const pageText = async (name: string): Promise<string> =>
  (await unpacked(await readCompressed(name))).toString();

/** The response with a page that was generated for this call. */
export const html = (
  statusCode: number,
  body: string,
  headers: NonNullable<HttpResponse["headers"]> = {},
): HttpResponse => ({
  statusCode,
  headers: { ...headers, ...always, "content-type": types[".html"] ?? "", "cache-control": caching.unsaved },
  body,
});

/** The response with a file that is named in the path, or else 404. @throws Problem `not_found` */
async function namedFile(event: HttpEvent, name: string | undefined, kept: Caching): Promise<HttpResponse> {
  const missing = notFound("There is no such file; load the page again, which names those of this version");
  if (name === undefined) throw missing;
  await readCompressed(name).catch(() => {
    throw missing;
  });
  return file(event, name, kept);
}

/** The file of a page that is named in the path, or of the search. */
const pageIn = (name: string): string | undefined => {
  if (name === searchIndex) return name;
  return paged.test(name) ? `${name}.html` : undefined;
};

/** The response with a page below the first one, named in the path. @throws Problem `not_found` */
export const namedPage = (event: HttpEvent, kept: Caching): Promise<HttpResponse> =>
  namedFile(event, pageIn(event.pathParameters?.["file"] ?? ""), kept);

/** What all pages load, or a page, by its name in the path. @throws Problem `not_found` */
export function openFile(event: HttpEvent): Promise<HttpResponse> {
  const name = event.pathParameters?.["file"] ?? "";
  return lasting.test(name) ? namedFile(event, name, "lasting") : namedPage(event, "checked");
}
