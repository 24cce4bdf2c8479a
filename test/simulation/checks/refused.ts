/** Whether orders and holds were refused as short only where too little can have been left. */
import * as z from "zod";
import type { MemoryStore } from "../store/store.ts";
import type { History, Recorded } from "../workload/history.ts";
import { isFirm } from "../workload/holds.ts";
import { itemsOf } from "./bins.ts";
import { type Finding, findings } from "./finding.ts";

const wanted = z.union([
  z.object({ quantity: z.int(), sku: z.string() }).transform((line) => [line]),
  z
    .object({ items: z.array(z.object({ quantity: z.int(), sku: z.string() })) })
    .transform(({ items }) => items),
]);
const asked = z.object({ data: z.array(wanted) }).transform(({ data }) => data.flat());
const held = z.object({ data: z.array(z.object({ expires_at: z.string() })) });

const reserving = ({ operation }: Recorded): boolean =>
  operation === "createOrders" || operation === "createHolds";

const isRefused = ({ answer }: Recorded): boolean =>
  answer?.status === 409 && answer.body.includes(" is short: ");

/** Whether units that a call reserved may have counted while another one ran. */
function mayCount(one: Recorded, refused: Recorded): boolean {
  const { answer, operation } = one;
  if (isRefused(one) || one.began > refused.ended) return false;
  if (operation !== "createHolds" || answer?.status !== 200) return true;
  const { data } = held.parse(JSON.parse(answer.body));
  return data.some(({ expires_at }) => Date.parse(expires_at) > refused.beganAt);
}

/**
 * Units count for as long as they may have been reserved, also those that were given back early or never
 * stored. So an order that is refused although it fits beside them was refused for nothing.
 */
export function refusalFaults(history: History, before: MemoryStore): readonly Finding[] {
  const { calls } = history;
  if (!isFirm(calls)) return [];
  const stock = new Map(itemsOf(before, "inventory", "stock").map((item) => [item["sku"]?.S, item]));
  const all = calls.filter(reserving).map((call) => ({ call, lines: asked.parse(call.sent.body) }));
  const unitsOf = (lines: z.output<typeof asked>, sku: string): number =>
    lines.reduce((sum, line) => (line.sku === sku ? sum + line.quantity : sum), 0);
  const texts = all
    .filter(({ call }) => isRefused(call))
    .flatMap(({ call, lines }) => {
      const fits = [...new Set(lines.map(({ sku }) => sku))].every((sku) => {
        const item = stock.get(sku);
        const others = all.filter((one) => one.call !== call && mayCount(one.call, call));
        const taken = others.reduce((sum, one) => sum + unitsOf(one.lines, sku), unitsOf(lines, sku));
        return taken <= Number(item?.["on_hand"]?.N) - Number(item?.["reserved"]?.N);
      });
      return fits ? [`${JSON.stringify(call.sent.body)} was refused: ${call.answer?.body}`] : [];
    });
  return findings("refused only if short", texts);
}
