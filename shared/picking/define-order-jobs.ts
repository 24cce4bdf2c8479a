import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { defineEndpoint, type RequestSchema } from "../http/endpoint.ts";
import { everyone, insertJob, jobList, type QueuedJob } from "../jobs/job-repository.ts";
import { resendJobs, sendJobs } from "../jobs/send.ts";
import type { EndpointContract } from "../lambda/contract.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { allocate, allocationGrant } from "../store/lists/allocate.ts";
import { storeOnce } from "../store/store-once.ts";

const queuedJob = z.object({
  job_id: primitive.int,
  order_id: primitive.int,
  nbtybarcode: z.optional(primitive.text),
});

const acceptance = z.object({
  response: z.object({ success: z.literal(true), message: primitive.text, jobs: z.array(queuedJob) }),
});

interface OrderJobs<I extends RequestSchema> extends Pick<EndpointContract, "path" | "summary"> {
  readonly kind: "weight" | "revert";
  readonly request: I;
}

/** The payloads of a call's jobs, in the order of the call, and what the message says of them. */
interface Accepted<P> {
  readonly payloads: readonly P[];
  readonly about: string;
}

/**
 * Defines an endpoint that queues a job for each of at most 100 orders, for all of them or none. The ids of
 * the jobs rise in the order of the call. With a key, 100 jobs are stored by a saga. `present` makes what the
 * answer shows of a job beside its id.
 */
export const defineOrderJobs = <I extends RequestSchema, P extends object>(
  { kind, ...contract }: OrderJobs<I>,
  resolve: (request: z.output<I>, db: Database) => Promise<Accepted<P>>,
  present: (payload: P) => Omit<z.output<typeof queuedJob>, "job_id">,
) =>
  defineEndpoint(
    {
      ...contract,
      method: "POST",
      auth: "wms",
      response: acceptance,
      access: {
        orders: "read",
        jobs: { "job#": ["read", "insert"], "steps#": "write" },
        tallies: allocationGrant,
      },
      sends: [kind],
      replayed: ({ response: { jobs } }, db) =>
        resendJobs(
          db,
          kind,
          jobs.map(({ job_id }) => job_id),
        ),
    },
    async (request, context) => {
      const { db, actor: by } = context;
      const { payloads, about } = await resolve(request, db);
      const { firstId, at } = await allocate(db, jobList, everyone, payloads.length);
      const jobs = payloads.map((payload, position): QueuedJob<P> => {
        return { job_id: firstId + position, by, request_id: db.requestId, payload };
      });
      const message = `The request is accepted and will be processed soon (${about})`;
      const shown = jobs.map(({ job_id, payload }) => ({ job_id, ...present(payload) }));
      const answer = { response: { success: true as const, message, jobs: shown } };
      const writes = jobs.map((job) => insertJob(kind, job, at));
      const response = await storeOnce(context, writes, answer);
      await sendJobs(db, kind, jobs);
      return response;
    },
  );
