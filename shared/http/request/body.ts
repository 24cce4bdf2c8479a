import { isUtf8 } from "node:buffer";
import sjson from "secure-json-parse";
import { replacementCharacter } from "../../common/fields.ts";
import { invalid } from "../../common/problem.ts";
import type { HttpEvent } from "../gateway.ts";

/**
 * Maximum body size. 100 records of any kind are far smaller, and a call of this size takes well under a
 * second.
 */
export const maxBodyBytes = 1_048_576;

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const utf8 = /^utf-?8$/i;

/**
 * The body as it was sent.
 * @throws Problem `invalid` if the body is too large or not UTF-8 (docs/decisions.md, Request bodies)
 */
export function rawBody({ body = "", headers, isBase64Encoded }: HttpEvent): string {
  const [, stated] = charset.exec(headers["content-type"] ?? "") ?? [];
  if (stated !== undefined && !utf8.test(stated))
    throw invalid("The charset of the Content-Type must be UTF-8");
  const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  if (bytes.length > maxBodyBytes) throw invalid(`The body must have at most ${maxBodyBytes} bytes`);
  const text = isBase64Encoded ? bytes.toString("utf8") : body;
  if (!isUtf8(bytes) || text.includes(replacementCharacter))
    throw invalid("The body must be UTF-8; it holds other bytes, or U+FFFD, which stands for them");
  return text;
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
        : "The body is not valid JSON",
    );
  }
}
