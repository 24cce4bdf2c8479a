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

export const writeMessage = (content: Message): string => JSON.stringify(z.parse(message, content));

/** @throws where the text is no message */
export const readMessage = (text: string): Message => z.parse(message, JSON.parse(text));
