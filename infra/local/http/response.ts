import * as z from "zod";
import { parseJson } from "../json.ts";

/** The answer that goes back to the client. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

const headerValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const structured = z.object({
  statusCode: z.coerce.number().int().min(200).max(599),
  headers: z.record(z.string(), headerValue).optional(),
  cookies: z.array(z.string()).optional(),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().optional(),
});

const hasStatus = z.object({ statusCode: z.unknown().refine((code) => code !== undefined) });

/** An answer that API Gateway itself gives. */
export const gatewayAnswer = (status: number, message: string): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ message })),
});

export const internalServerError = (): HttpAnswer => gatewayAnswer(500, "Internal Server Error");

/**
 * Turns a function's result into an answer. A result with a status code describes the whole answer. A result
 * without one is itself the body of a 200.
 *
 * @param payload the function's result as JSON
 */
export const readAnswer = (payload: string): HttpAnswer => {
  const result = parseJson(payload);
  if (!hasStatus.safeParse(result).success) return shorthand(result, payload);
  const parsed = structured.safeParse(result);
  if (!parsed.success) return internalServerError();
  const { statusCode: status, headers = {}, cookies, body = "", isBase64Encoded = false } = parsed.data;
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    status,
    headers: {
      ...(body !== "" && { "content-type": "text/plain;charset=UTF-8" }),
      ...lower,
      ...(cookies && cookies.length > 0 && { "set-cookie": cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? "base64" : "utf8"),
  };
};

const shorthand = (result: unknown, payload: string): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from(typeof result === "string" ? result : payload),
});
