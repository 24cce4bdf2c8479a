/** Whether pages of lists hold what they claim. */
import * as z from "zod";
import { operationOf } from "../workload/calls.ts";
import type { History, Recorded } from "../workload/history.ts";
import { type Finding, findings } from "./finding.ts";
import type { Order } from "./stored.ts";

const page = z.object({
  data: z.array(z.unknown()),
  metadata: z.object({ total_records: z.int(), total_current_page: z.int() }),
});

const lists: readonly string[] = ["listOrders", "listProducts", "listStock"];

/** A page that claims so many records has them. */
const claimed = (calls: readonly Recorded[]): readonly string[] =>
  calls.flatMap(({ operation, sent, answer }) => {
    if (!lists.includes(operation) || answer?.status !== 200) return [];
    const { data, metadata } = page.parse(JSON.parse(answer.body));
    const { page: number = "1", per_page: size = "100" } = sent.query ?? {};
    const rest = metadata.total_records - (Number(number) - 1) * Number(size);
    const expected = Math.max(0, Math.min(Number(size), rest));
    if (data.length === expected && metadata.total_current_page === expected) return [];
    return [
      `a page of ${operation} ${JSON.stringify(sent.query)} claims ${metadata.total_records} records in all and ${metadata.total_current_page} on it, and has ${data.length}`,
    ];
  });

/**
 * All pages together hold each order once that was there before the first was read. An order whose call took
 * its id earlier may be stored meanwhile: it moves those behind it to a later page, where they come again.
 */
function walked(
  { calls, walks, archived }: History,
  before: readonly number[],
  stored: readonly Order[],
): readonly string[] {
  return walks.flatMap(({ began, ids }) => {
    const created = calls
      .filter(({ operation, ended }) => operation === "createOrders" && ended < began)
      .flatMap(({ answer }) =>
        answer?.status === 200 ? (operationOf("createOrders").shows?.(answer.body) ?? []) : [],
      )
      .map(({ record }) => Number(record.split(" ")[1]));
    const there = [...before, ...created].filter((id) => !archived.has(id));
    const others = stored.map(({ order_id }) => order_id).filter((id) => !there.includes(id));
    const firstLate = Math.min(...others);
    return there
      .map((id) => ({ id, times: ids.filter((one) => one === id).length }))
      .filter(({ id, times }) => times === 0 || (times > 1 && id < firstLate))
      .map(({ id, times }) => `order ${id} is ${times} times on the pages ${JSON.stringify(ids)}`);
  });
}

export const pageFaults = (
  history: History,
  before: readonly number[],
  stored: readonly Order[],
): readonly Finding[] => [
  ...findings("a page holds what it claims", claimed(history.calls)),
  ...findings("each record on one page", walked(history, before, stored)),
];
