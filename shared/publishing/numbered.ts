import { digestOf } from "../common/digest.ts";
import type { Event } from "../events/event.ts";
import {
  type EventDraft,
  type PendingEvents,
  previousValues,
  type StockLevelChanged,
} from "../events/kind.ts";
import { available, type StockUnits } from "../stock/stock.ts";
import type { StockPlace } from "../stock/stock-repository.ts";
import type { FeedBatch, FeedState } from "./publication.ts";

/** The id of the event of this type that a change makes: the same in every delivery, as its `source` is. */
const eventIdOf = (source: string, type: string): string => `evt_${digestOf(source, type).slice(0, 24)}`;

/** The levels that moves lead to, each from the one that was published before it. */
class Levels {
  readonly #published: Pick<FeedState, "levelAt">;
  readonly #reached = new Map<string, readonly [StockPlace, StockUnits]>();

  constructor(published: Pick<FeedState, "levelAt">) {
    this.#published = published;
  }

  /** Moves a level, and tells of it. */
  move({ place, units, why, type }: StockLevelChanged): EventDraft {
    const { product_id, distribution_center_id, sku, distribution_center } = place;
    const name = `${product_id}@${distribution_center_id}`;
    const before = this.#reached.get(name)?.[1] ?? this.#published.levelAt(place);
    const after = {
      on_hand: before.on_hand + units.on_hand,
      reserved: before.reserved + units.reserved,
      incoming: before.incoming + units.incoming,
    };
    this.#reached.set(name, [place, after]);
    const data = { sku, product_id, distribution_center, ...after, available: available(after), ...why };
    return { type, data, previous: previousValues({ ...before, available: available(before) }, data) };
  }

  reached(): FeedBatch["levels"] {
    return [...this.#reached.values()];
  }
}

/** The events of changes, numbered after `sequence`, and the stock levels that they lead to. */
export function sequenced(
  changeEvents: readonly PendingEvents[],
  published: Pick<FeedState, "levelAt">,
  sequence: number,
): Pick<FeedBatch, "events" | "levels"> {
  const levels = new Levels(published);
  const told = changeEvents.flatMap(({ happened, ...common }) =>
    happened.map((one) => ({ ...common, ...("place" in one ? levels.move(one) : one) })),
  );
  const events = told.map(
    ({ source, type, data, previous, ...common }, position): Event => ({
      ...common,
      id: eventIdOf(source, type),
      sequence: sequence + position + 1,
      type,
      data: { ...data },
      previous: previous && { ...previous },
    }),
  );
  return { events, levels: levels.reached() };
}
