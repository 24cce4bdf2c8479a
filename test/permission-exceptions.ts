import { functions } from "../functions/index.ts";
import { accessOf } from "../infra/access.ts";
import { permitsOf } from "../shared/store/permits.ts";
import { webhookQueue } from "../shared/webhooks/sending/queue.ts";
import type { Exception } from "./permissions.ts";

type Contract = (typeof functions)[string];

/** A pattern for the names of the functions that `is` holds for. */
const those = (is: (contract: Contract) => boolean): string =>
  `(?:${Object.entries(functions)
    .filter(([, contract]) => is(contract))
    .map(([key]) => key)
    .join("|")})`;

/** The functions that may store records by sagas, and finish those of others. */
const storing = those((contract) =>
  permitsOf(accessOf(contract)).some(({ kinds }) => kinds.get("steps#")?.includes("insert") === true),
);
/** Whether a function sends jobs, and not only wake-ups of webhooks. */
const sendsJobs = ({ sends }: Contract): boolean =>
  sends !== "every" && sends.some((kind) => kind !== webhookQueue);
const queueing = those((contract) => contract.type === "endpoint" && sendsJobs(contract));
const working = those((contract) => contract.type === "worker" && sendsJobs(contract));

/**
 * Permissions that a whole run of the tests need not meet, each with the reason why the functions have them.
 */
export const exceptions: readonly Exception[] = [
  {
    permissions: /^(?:logs|xray):/,
    reason: "Lambda itself writes logs and traces by them; the local runtime does not.",
  },
  {
    permissions: /^sqs:(?:GetQueueUrl|GetQueueAttributes|ChangeMessageVisibility) /,
    reason:
      "The CDK grants them to consumers and senders of queues; Lambda may need them, the local runtime does not.",
  },
  {
    permissions: new RegExp(` TABLE_(?:ORDERS|INVENTORY|TALLIES|DIRECTORY|JOBS \\S+) by ${storing}$`),
    reason:
      "Who changes orders or goods may meet a record that another call left in a saga, and finishes it: whatever that " +
      "call was to store. The tests of sagas prove each permission with some of these functions.",
    proven: true,
  },
  {
    permissions: / TABLE_JOBS (?:idempotency|steps)#\* by /,
    reason:
      "Calls that may have a body take an Idempotency-Key, by code that they share; the tests of idempotency prove it with some.",
    proven: true,
  },
  {
    permissions: new RegExp(`^PutItem TABLE_TALLIES by ${queueing}$`),
    reason: "400 jobs fill a block of ids; then the next call leases another one, as other lists do.",
    proven: true,
  },
  {
    permissions: /^PutItem TABLE_TALLIES by jobs\/roll-up-counters$/,
    reason:
      "The first roll-up of 41 full blocks creates the node above them: test/integration/alone/lists/roll-ups.test.ts.",
    proven: true,
  },
  {
    permissions: /^read TABLE_IDENTITY store(?:-name)?#\* by v2\/add-orders$/,
    reason: "It is the flow of oms/orders/create-orders, whose tests name stores.",
    proven: true,
  },
  {
    permissions: /^read TABLE_EVENTS by v2\/get-(?:orders|products|stock)$/,
    reason: "They are the flows of v4's lists, whose tests send updated_since.",
    proven: true,
  },
  {
    permissions: / (?:TABLE_JOBS hold|TABLE_INVENTORY (?:movement|stock))#\* by jobs\/sweep-jobs$/,
    reason:
      "The sweep releases holds that have ended. The tests of holds call it with a clock of their own: " +
      "test/integration/orders/holds.test.ts.",
  },
  {
    permissions:
      /^read TABLE_JOBS hold#\* by (?:oms\/inventory\/synsets\/(?:get-synset|list-synsets)|v2\/get-stock)$/,
    reason: "They read stock as oms/inventory/stock/list-stock does, whose tests hold some.",
    proven: true,
  },
  {
    permissions: /^DeleteItem TABLE_SECRETS by (?:jobs\/send-webhooks|oms\/webhooks\/rotate-secret)$/,
    reason: "An old secret goes away a day after a rotation, with the next rotation or delivery.",
    proven: true,
  },
  {
    permissions: new RegExp(`^sqs:SendMessage \\S+ by ${working}$`),
    reason:
      "A worker sends again what its time does not suffice for: test/integration/jobs/worker-time.test.ts.",
  },
];
