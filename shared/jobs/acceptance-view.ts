import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";

/** A job that a call queued, and what it is about. */
const queued = z.object({
  job_id: primitive.int,
  order_id: primitive.int,
  nbtybarcode: z.optional(primitive.text),
});

/** The body of a WMS call whose work is queued now, and done a moment later. `jobs` are in the order of the call. */
export const acceptance = z.object({
  response: z.object({ success: z.literal(true), message: primitive.text, jobs: z.array(queued) }),
});

export const accepted = (
  message: string,
  jobs: readonly z.output<typeof queued>[],
): z.output<typeof acceptance> => ({ response: { success: true, message, jobs: [...jobs] } });

/** The ids of the jobs that a kept answer names. */
export const acceptedJobs = ({ response: { jobs } }: z.output<typeof acceptance>): readonly number[] =>
  jobs.map(({ job_id }) => job_id);
