/**
 * Started by `lists.ts` in a process of its own, with `--expose-gc`: what reading pages adds to memory. Its
 * argument is a `Task` as JSON. Prints the megabytes of `Memory` as JSON.
 *
 * `heap`: the heap and its buffers at the fullest moment that an answer of DynamoDB was held, after all
 * garbage was collected, less what was there before. `rss`: how far the peak of the process's memory rose,
 * garbage included.
 */

import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { endpoint as listOrders } from "../../../../functions/oms/orders/list-orders.ts";
import { connectTo } from "../../../../infra/demo/load.ts";
import { parseRequest } from "../../../../shared/http/request/validation.ts";
import { contextOf } from "../../../support/records/flows.ts";

export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

const task = z.object({
  accountId: z.int(),
  queries: z.array(z.string()),
  endpoint: z.string(),
  accessKeyId: z.string(),
  tables: z.record(z.string(), z.string()),
});
export type Task = z.output<typeof task>;

const { positionals } = parseArgs({ allowPositionals: true });
const { accountId, queries, ...dynamodb } = z.parse(task, JSON.parse(positionals[0] ?? ""));

const db = connectTo({ dynamodb: { ...dynamodb } });
const { gc } = globalThis;
if (gc === undefined) throw new Error("memory.ts needs --expose-gc");

let [isMeasuring, fullest] = [false, 0];
/** What is in use, with garbage. */
const taken = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const used = (): number => {
  gc();
  return taken();
};
db.client.middlewareStack.add(
  (next) => async (args) => {
    const answer = await next(args);
    // Collecting garbage takes long. Where all of it together is less than what was found before, none has to
    // be.
    if (isMeasuring && taken() > fullest) fullest = Math.max(fullest, used());
    return answer;
  },
  { step: "initialize" },
);

const read = async (query: string): Promise<void> => {
  const request = parseRequest(listOrders.request, { query: Object.fromEntries(new URLSearchParams(query)) });
  await listOrders.flow(request, contextOf({ db, accountId }));
};

const megabytes = (bytes: number): number => bytes / 2 ** 20;
// The first page loads code, which is there in every call after it.
for (let time = 1; time <= 3; time += 1) await read("per_page=1");
const before = used();
const rssBefore = process.resourceUsage().maxRSS;
for (const query of queries) await read(query);
const rss = (process.resourceUsage().maxRSS - rssBefore) / 1024;
isMeasuring = true;
for (const query of queries) await read(query);
const memory: Memory = { heap: megabytes(fullest - before), rss };
process.stdout.write(JSON.stringify(memory));
process.exit(0);
