import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import sjson from "secure-json-parse";
import { replacementCharacter } from "../../common/fields.ts";
import { invalid, Problem } from "../../common/problem.ts";
import type { HttpEvent } from "../http-handler.ts";

/** 100 records of any kind are far smaller, and a call of this size takes well under a second. */
export const maxBodyBytes = 1_048_576;

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const utf8 = /^utf-?8$/i;

const tooLarge = () => new Problem("too_large", `The body must have at most ${maxBodyBytes} bytes`);

/** The bytes of a body without its `Content-Encoding`. */
function decompressBody(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "" || encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new Problem("unsupported", "The Content-Encoding must be gzip, or left out");
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw invalid("The body is not valid gzip, which its Content-Encoding says");
  }
}

/**
 * The text of the body.
 * @throws Problem `too_large` if it is too large, as sent or unpacked; `unsupported` if it is packed, but not
 * by gzip; `invalid` if it is not UTF-8 (docs/decisions.md, Request bodies)
 */
export function rawBody({ body = "", headers, isBase64Encoded }: HttpEvent): string {
  const [, stated] = charset.exec(headers["content-type"] ?? "") ?? [];
  if (stated !== undefined && !utf8.test(stated))
    throw invalid("The charset of the Content-Type must be UTF-8");
  const sent = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  if (sent.length > maxBodyBytes) throw tooLarge();
  const bytes = decompressBody(sent, (headers["content-encoding"] ?? "").trim().toLowerCase());
  const text = isBase64Encoded || bytes !== sent ? bytes.toString("utf8") : body;
  if (!isUtf8(bytes) || text.includes(replacementCharacter))
    throw invalid("The body must be UTF-8; it holds other bytes, or U+FFFD, which stands for them");
  return text;
}

/** Names the format of a text that is not JSON, for clients that sent another format on purpose. */
function formOf(text: string, type: string): string {
  if (/^\s*</.test(text)) return "must be JSON; it is XML or HTML";
  const [form] = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.exec(type) ?? [];
  // curl -d declares everything a form, including JSON with a typo.
  if (form === undefined || /^\s*[[{"]/.test(text)) return "is not valid JSON";
  return `must be JSON; it is a form (${form.toLowerCase()})`;
}

/**
 * The body as JSON, whatever its Content-Type says. Keys that could reach an object's prototype are refused.
 * @throws Problem `invalid` if the body is missing or not well-formed
 */
export function jsonBody(event: HttpEvent): unknown {
  const text = rawBody(event);
  if (text.trim() === "") throw invalid("The body must be JSON; it is empty");
  try {
    return sjson.parse(text, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    const forbidden = error instanceof SyntaxError && error.message.includes("forbidden prototype property");
    throw invalid(
      forbidden
        ? "The body holds a forbidden key (__proto__ or constructor.prototype)"
        : `The body ${formOf(text, event.headers["content-type"] ?? "")}`,
    );
  }
}
