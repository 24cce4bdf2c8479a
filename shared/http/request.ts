import sjson from "secure-json-parse";
import { invalid } from "../domain/problem.ts";
import type { HttpEvent } from "./gateway.ts";

/** Largest body, in bytes. 100 records of any kind are far smaller. A call of this size stays well under a second. */
export const largestBody = 1_048_576;

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The body as it was sent. @throws Problem `invalid` where the body is too large */
export function rawBody({ body = "", isBase64Encoded }: HttpEvent): string {
  const text = isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
  if (Buffer.byteLength(text) > largestBody) throw invalid(`The body must have at most ${largestBody} bytes`);
  return text;
}

/**
 * The body as JSON. Keys that could reach an object's prototype are refused.
 * @throws Problem `invalid` where the body is missing, has another Content-Type, or is not well-formed
 */
export function jsonBody(event: HttpEvent): unknown {
  const type = event.headers["content-type"];
  if (type !== undefined && !json.test(type)) throw invalid("The Content-Type must be application/json");
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
