import * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import * as primitive from "../common/primitives.ts";

const job = z.object({
  job_id: primitive.int,
  /** The actor who requested the job. */
  by: primitive.text,
  /** The id of the call that requested it. Messages of release 1.0.0 leave it out. */
  request_id: z.optional(primitive.text),
  /** In the shape of the worker's `payload`. */
  payload: primitive.unknown,
});

/** A job as messages carry it. */
export type SentJob = z.output<typeof job>;

/**
 * The message of a job: its id and everything the worker needs, so that the worker need not read the job
 * record. Fields that a release adds must be optional for one release, because the previous release's sweeper
 * leaves them out.
 *
 * A message may carry more jobs of its call. Release 1.0.0 applies only the first; the sweeper resends the
 * others.
 */
const message = z.extend(job, { more: z.optional(z.array(job)) });
type Message = z.output<typeof message>;

/** Characters that SQS or its emulations reject or replace: SQS accepts only those of XML 1.0. */
const unsendable = /[\ud800-\udfff\ufffe\uffff]/g;

/** The text of a message. Characters that a queue can't carry are escaped as JSON. */
export const writeMessage = (content: Message): string =>
  JSON.stringify(z.parse(message, content)).replace(
    unsendable,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

/** Maximum bytes of a message with several jobs. Ten fit into one call of SQS, which takes 256 KB. */
const maxBytes = 25_000;

/** The texts of the fewest messages that carry these jobs, in their order. */
export function writeTogether(jobs: readonly SentJob[]): readonly string[] {
  const messages: SentJob[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of jobs) {
    const size = Buffer.byteLength(writeMessage(one));
    if (bytes + size > maxBytes) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(one);
    bytes += size;
  }
  return messages.flatMap(([first, ...more]) =>
    first === undefined ? [] : [writeMessage(more.length > 0 ? { ...first, more } : first)],
  );
}

const named = z.pick(message, { job_id: true });

/**
 * Thrown for a job that another release accepted in a form that this one does not know. Such jobs occur
 * during a canary deployment and after a downgrade. They stay queued for the release that knows them.
 */
export class FromOtherRelease extends Error {
  override readonly name = "FromOtherRelease";

  constructor(jobId: number, cause?: unknown) {
    super(
      `job ${jobId} was accepted by another release and stays queued: deploy that release within 51 hours ` +
        "of the job's acceptance, or the job ends as failed after 102 hours",
      { cause },
    );
  }
}

/**
 * Reads a message.
 * @throws FromOtherRelease if it names a job in an unknown form; another error if the text is not a job
 * message
 */
export function readMessage(text: string): Message {
  const content: unknown = JSON.parse(text);
  const known = z.safeParse(message, content);
  if (known.success) return known.data;
  const job = z.safeParse(named, content);
  throw job.success ? new FromOtherRelease(job.data.job_id, known.error) : known.error;
}

/**
 * Reads the payload of a job. An undeclared field might change the meaning of the job, so it makes the
 * payload unknown. Payload schemas must have neither defaults nor transforms.
 * @throws FromOtherRelease if the parsed payload differs from the stored one
 */
export function readPayload<P>(schema: z.ZodMiniType<P>, jobId: number, payload: unknown): P {
  const known = z.safeParse(schema, payload);
  if (known.success && isDeepEqual(known.data, payload)) return known.data;
  throw new FromOtherRelease(jobId, known.error);
}
