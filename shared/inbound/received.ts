import type { InboundLine } from "./inbound.ts";

type Lines = readonly Pick<InboundLine, "put_away">[];

const putAwayOf = (lines: Lines): number => lines.reduce((sum, { put_away }) => sum + put_away, 0);

/** Whether more units are put away than before. */
export const hasReceived = (before: Lines, after: Lines): boolean => putAwayOf(after) > putAwayOf(before);
