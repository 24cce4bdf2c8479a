import * as z from "zod/mini";

/** One job's message: its id and all that its worker needs, so that a worker reads no job record. */
export const message = z.object({
  job_id: z.int(),
  /** Who asked for it. */
  by: z.string(),
  /** As its worker's `payload` states it. */
  payload: z.unknown(),
});
export type Message = z.output<typeof message>;

/** SQS takes the characters of XML 1.0 only; these it refuses or replaces, or some implementations do. */
const unsendable = /[\ud800-\udfff\ufffe\uffff]/g;

/** A message's text, in which characters that a queue may not carry are escaped; JSON reads them back. */
export const writeMessage = (content: Message): string =>
  JSON.stringify(z.parse(message, content)).replace(
    unsendable,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

/** @throws where the text is no message */
export const readMessage = (text: string): Message => z.parse(message, JSON.parse(text));
