import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from "node:http";

/** A request whose body is larger than allowed. */
export class BodyTooLarge extends Error {}

/** Reads a whole body. Beyond the limit in bytes, nothing is kept, and the promise rejects at the end. */
export const readBody = (message: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    message.on("error", reject);
    message.on("end", () => (size > limit ? reject(new BodyTooLarge()) : resolve(Buffer.concat(chunks))));
  });

/** A complete answer. */
export interface Posted {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a POST request. Rejects if the connection fails before the answer is complete. */
export const post = (
  endpoint: string,
  agent: Agent,
  headers: OutgoingHttpHeaders,
  body: Buffer,
): Promise<Posted> =>
  new Promise((resolve, reject) => {
    const sent = request(
      endpoint,
      { method: "POST", agent, headers: { ...headers, "content-length": body.length } },
      (response) => {
        const { statusCode: status = 502, headers: received } = response;
        readBody(response, Number.POSITIVE_INFINITY)
          .then((whole) => resolve({ status, headers: received, body: whole }))
          .catch(reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
