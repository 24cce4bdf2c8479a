/** The files of a page, which the bundler puts next to the code (docs/decisions.md, Documentation pages). */
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { notFound } from "../../common/problem.ts";
import type { HttpEvent } from "../gateway.ts";
import { type HttpResponse, nosniff } from "../responses.ts";

/** In a bundle, the module's folder is the function's own. */
const folder = join(import.meta.dirname, "files");

/** Names that contain a digest of the content, so browsers may cache the file for good. */
const lasting = /^[a-z]+-[0-9a-f]{12}\.(?:js|css)$/;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

/** The viewer adds inline styles. Scripts may only be files of the service. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
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

/**
 * How long a browser may keep a file: `unsaved` if only some users may see it, `checked` if the next
 * deployment may change it.
 */
const caching = {
  unsaved: "no-store",
  checked: "no-cache",
  lasting: "public, max-age=31536000, immutable",
} as const;
type Caching = keyof typeof caching;

const unpacked = promisify(gunzip);
const read = new Map<string, Promise<Buffer>>();

/** A file, compressed with gzip. An instance reads each file once. */
function packed(name: string): Promise<Buffer> {
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
  const bytes = await packed(name);
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
export const textOf = async (name: string): Promise<string> =>
  (await unpacked(await packed(name))).toString();

/** The response with a page that was made for this call. */
export const html = (
  statusCode: number,
  body: string,
  headers: NonNullable<HttpResponse["headers"]> = {},
): HttpResponse => ({
  statusCode,
  headers: { ...headers, ...always, "content-type": types[".html"] ?? "", "cache-control": caching.unsaved },
  body,
});

/** The response with a file that all pages load, named in the path. @throws Problem `not_found` */
export async function lastingFile(event: HttpEvent): Promise<HttpResponse> {
  const name = event.pathParameters?.["file"] ?? "";
  const missing = notFound("There is no such file; load the page again, which names those of this version");
  if (!lasting.test(name)) throw missing;
  await packed(name).catch(() => {
    throw missing;
  });
  return file(event, name, "lasting");
}
