import * as z from "zod/mini";
import * as plain from "../domain/plain.ts";

/** The message of one job: its id and everything that the worker needs, so that the worker reads no job record. */
export const message = z.object({
  job_id: plain.int,
  /** Who asked for the job. */
  by: plain.text,
  /** Has the shape that the worker's `payload` states. */
  payload: z.unknown(),
});
export type Message = z.output<typeof message>;

/** Characters that SQS, or another implementation of it, refuses or replaces: SQS takes those of XML 1.0 only. */
const unsendable = /[\ud800-\udfff\ufffe\uffff]/g;

/** The text of a message. Characters that a queue can't carry are escaped, and JSON reads them back. */
export const writeMessage = (content: Message): string =>
  JSON.stringify(z.parse(message, content)).replace(
    unsendable,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

/** Reads a message. @throws where the text is no message */
export const readMessage = (text: string): Message => z.parse(message, JSON.parse(text));
