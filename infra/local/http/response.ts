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

/** An answer of API Gateway itself. */
export const gatewayAnswer = (status: number, message: string): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ message })),
});

export const internalServerError = (): HttpAnswer => gatewayAnswer(500, "Internal Server Error");

/**
 * Converts a function's result into an answer. The result must describe it with a status: API Gateway would
 * take any other result for the body of a 200; here, it is an error.
 *
 * @param payload the function's result as JSON
 */
export const readAnswer = (payload: string): HttpAnswer => {
  const parsed = structured.safeParse(parseJson(payload));
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
