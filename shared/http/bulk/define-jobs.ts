import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { deploymentOwner, insertJob, jobList, type QueuedJob } from "../../jobs/job-repository.ts";
import { resendJobs, sendJobs } from "../../jobs/send.ts";
import type { EndpointContract } from "../../runtime/contract.ts";
import type { QueueName } from "../../runtime/queue-names.ts";
import { type Access, mergeAccess } from "../../store/access.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { storedTogether } from "../../store/dynamodb/writes.ts";
import { storeOnce } from "../../store/idempotency.ts";
import { allocate, allocationGrant } from "../../store/lists/allocate.ts";
import { defineEndpoint } from "../define-endpoint.ts";
import type { RequestSchema } from "../endpoint.ts";

const queueAccess: Access = {
  jobs: { "job#": ["read", "insert"], "steps#": "write" },
  tallies: allocationGrant,
};

interface JobsContract<I extends RequestSchema> extends Pick<EndpointContract, "path" | "summary"> {
  readonly kind: QueueName;
  readonly request: I;
  /** What the answer shows of each job beside its id. */
  readonly shown: Readonly<Record<string, z.ZodMiniType>>;
  /** What `resolve` reads. */
  readonly access: Access;
}

/** The payloads of a call's jobs, in the order of the call, and how the message describes them. */
interface Resolved<P> {
  readonly payloads: readonly P[];
  readonly about: string;
}

/**
 * Defines a WMS endpoint that queues at most 100 jobs, all of them or none. Their ids rise in the order of
 * the call. With a key, 100 jobs are stored by a saga. `present` returns what the answer shows of a job.
 */
export const defineJobs = <I extends RequestSchema, P extends object>(
  { kind, shown, access, ...contract }: JobsContract<I>,
  resolve: (request: z.output<I>, db: Database) => Promise<Resolved<P>>,
  present: (payload: P) => object,
) =>
  defineEndpoint(
    {
      ...contract,
      method: "POST",
      auth: "wms",
      response: z.object({
        response: z.object({
          success: z.literal(true),
          message: primitive.text,
          jobs: z.array(z.object({ job_id: primitive.int, ...shown })),
        }),
      }),
      access: mergeAccess(access, queueAccess),
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
      const { firstId, at } = await allocate(db, jobList, deploymentOwner, payloads.length);
      const jobs = payloads.map((payload, position): QueuedJob<P> => {
        return { job_id: firstId + position, by, request_id: db.requestId, payload };
      });
      const message = `The request is accepted and will be processed soon (${about})`;
      const shownJobs = jobs.map(({ job_id, payload }) => ({ job_id, ...present(payload) }));
      const answer = { response: { success: true as const, message, jobs: shownJobs } };
      const writes = storedTogether(jobs.map((job) => insertJob(kind, job, at)));
      const response = await storeOnce(context, writes, answer);
      await sendJobs(db, kind, jobs);
      return response;
    },
  );
