import type { IncomingMessage } from "node:http";

/** A request whose body is larger than allowed. */
export class BodyTooLarge extends Error {}

/**
 * Reads a whole body. Past the limit in bytes nothing is kept, and the promise rejects when the sender has
 * finished.
 */
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
