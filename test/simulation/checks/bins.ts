/** Whether bins hold what recounts, put-away, moves and picks have left in them. */
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as z from "zod";
import { decompress } from "../../../shared/store/dynamodb/compressed.ts";
import type { Item } from "../store/expressions.ts";
import type { MemoryStore } from "../store/store.ts";
import type { History } from "../workload/history.ts";
import { type Finding, findings } from "./finding.ts";

/** The stored items of a kind. */
export const itemsOf = (store: MemoryStore, table: string, kind: string): readonly Item[] =>
  store.table(table).all.filter(({ pk }) => pk?.S?.startsWith(`${kind}#`) === true);

/** Units whose arrival a bin knows. */
const layered = ({ layers }: Item): number =>
  (layers?.L ?? []).reduce((sum, { M: layer }) => sum + Number(layer?.["quantity"]?.N), 0);

/** No bin holds less than nothing, or fewer units than it knows the arrival of. */
const impossible = (store: MemoryStore): readonly string[] =>
  itemsOf(store, "inventory", "bin-content")
    .filter((bin) => Number(bin["quantity"]?.N) < layered(bin))
    .map(
      ({ sk, quantity, layers }) =>
        `bin ${sk?.S} holds ${quantity?.N} units in layers ${JSON.stringify(layers)}`,
    );

const picked = z.object({
  picks: z.array(z.object({ layers: z.array(z.object({ quantity: z.int() })) })),
});

/** Units of known arrival in bins and in orders that were picked. */
function arrived(store: MemoryStore): number {
  const inBins = itemsOf(store, "inventory", "bin-content").map(layered);
  const inOrders = itemsOf(store, "orders", "order").flatMap(({ content }) => {
    const order = content?.B && picked.safeParse(decompress(content.B)).data;
    return order?.picks.flatMap(({ layers }) => layers.map(({ quantity }) => quantity)) ?? [];
  });
  return [...inBins, ...inOrders].reduce((sum, units) => sum + units, 0);
}

const putAway = z.object({ quantity: z.int() });

/** Units are of a day or a lot only if they were put away as such, each once. */
function multiplied(store: MemoryStore, before: MemoryStore, { calls }: History): readonly string[] {
  const brought = calls
    .filter(
      ({ operation, answer }) => operation === "putAway" && (answer === undefined || answer.status === 200),
    )
    .reduce((sum, { sent }) => sum + putAway.parse(sent.body).quantity, 0);
  const [most, found] = [arrived(before) + brought, arrived(store)];
  return found > most ? [`${found} units have a day of arrival, and ${most} were put away`] : [];
}

const job = z.object({ difference: z.int(), new_quantity: z.int(), location: z.string(), bin: z.string() });

/**
 * Where only recounts change bins, each is decided on what those before it have made of its bin, and applied,
 * in whatever order their messages came.
 */
function disregarded(
  store: MemoryStore,
  before: MemoryStore,
  { calls, isWorked }: History,
): readonly string[] {
  if (isWorked || calls.some(({ operation }) => operation !== "recount")) return [];
  const last = new Map<string, number>();
  const known = new Set(itemsOf(before, "jobs", "job").map(({ sk }) => sk?.S));
  return itemsOf(store, "jobs", "job").flatMap(({ sk, kind, payload, status }) => {
    if (known.has(sk?.S) || kind?.S !== "recount" || payload?.M === undefined) return [];
    const { difference, new_quantity, location, bin } = job.parse(unmarshall(payload.M));
    const place = `${location} ${bin}`;
    const found = last.get(place) ?? new_quantity - difference;
    last.set(place, new_quantity);
    if (status?.S !== "applied") return [`recount ${sk?.S} is ${status?.S}, and no goods have left ${place}`];
    return found + difference === new_quantity
      ? []
      : [`recount ${sk?.S} made ${new_quantity} of ${found} in ${place}, and changes it by ${difference}`];
  });
}

/** @param before what the schedule began with */
export function binFaults(history: History, before: MemoryStore): readonly Finding[] {
  const { store } = history.world;
  return [
    ...findings("bins hold what they can", impossible(store)),
    ...findings("each unit arrived once", multiplied(store, before, history)),
    ...findings("recounts build on one another", disregarded(store, before, history)),
  ];
}
