/** Faults in transactions, retries, sagas and jobs. */
import type { Faults } from "./index.ts";

const idempotency = "shared/store/idempotency.ts";

export const ofStore: Faults = {
  "an insert without its condition": {
    file: "shared/store/dynamodb/expressions.ts",
    find: 'ConditionExpression: "attribute_not_exists(pk)",',
    replace: "",
  },
  "a record answered as stored whose condition was stale": {
    file: "shared/store/bulk/bulk.ts",
    find: 'case "open":\n      return undefined;',
    replace: 'case "open":\n      return { result: plan.result };',
  },
  "records without their receipts": {
    file: "shared/store/bulk/bulk.ts",
    find: '"writes" in one ? [...one.writes, ...receiptOf(position, one.result)] : [],',
    replace: '"writes" in one ? one.writes : [],',
  },
  "a retried PUT that takes effect twice": [
    {
      file: idempotency,
      find: "if (whole !== undefined) return",
      replace: "if (Number.isNaN(whole)) return",
    },
    {
      file: idempotency,
      find: "callId: known.call ?? token, expires_at: known.expires_at, earlier }",
      replace: "expires_at: known.expires_at }",
    },
  ],
  "a retry that forgets what is stored of its call": {
    file: idempotency,
    find: "expires_at: known.expires_at, earlier }",
    replace: "expires_at: known.expires_at }",
  },
  "a retry that does not wait for the first run": {
    file: idempotency,
    find: 'if (known.runs_until > Date.now()) return { state: "running" };',
    replace: "",
  },
  "a refusal that is not kept for a retry": {
    file: "shared/http/idempotent-call.ts",
    find: "    await withBudget(() => key.settle(answer), cleanUpBudgetMs);",
    replace: "    if (answer.status === 200) await withBudget(() => key.settle(answer), cleanUpBudgetMs);",
  },
  "a write of an item that a saga has locked": {
    file: "shared/store/dynamodb/expressions.ts",
    find: ': { ...write, when: [...write.when, { attribute: sagaAttribute, is: "absent" }] };',
    replace: ": write;",
  },
  "a step of a saga without the condition of its progress": {
    file: "shared/store/sagas/saga.ts",
    find: '    { attribute: "next", equals: next },\n',
    replace: "",
  },
  "a saga that nothing resumes": {
    file: "functions/jobs/resume-sagas.ts",
    find: "await resumeSaga(db, name);",
    replace: "",
  },
  "a job applied without the condition of its record": {
    file: "shared/jobs/job-repository.ts",
    find: '  when: [{ attribute: "status", equals: "queued" }],\n  rejection: () => new JobFinished(),',
    replace: "  when: [],\n  rejection: () => new JobFinished(),",
  },
  "a job that takes effect before its record ends": {
    file: "shared/jobs/apply.ts",
    find: "[...stampRecord(plan.writes, request_id), finishApplied(job_id, end)]",
    // The demo's jobs, which no call requested, do end: schedules begin with them.
    replace: "request_id === undefined ? [...plan.writes, finishApplied(job_id, end)] : plan.writes",
  },
  "a lost job that nothing sends again": {
    file: "functions/jobs/sweep-jobs.ts",
    find: "const lost = noted.filter((job) => !isHopeless(job));",
    replace: "const lost = [];",
  },
  "a failed job that does not undo its acceptance": {
    file: "shared/jobs/job-repository.ts",
    find: '...(undo === undefined ? [] : [{ kind: "change", ...undo, when: conditions } as const]),',
    replace: "",
  },
};
