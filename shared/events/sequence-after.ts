import { invalidAt } from "../common/problem.ts";
import type { FeedHead } from "./feed-repository.ts";

/** A sequence after which events are asked for. @throws Problem where those are not kept any more, or not there yet */
export function expectInFeed(sent: number, { sequence, oldest }: FeedHead): number {
  const path = "after";
  if (sent < oldest - 1) {
    const message = `is too old: the oldest event that is kept is ${oldest}, so the least to send is ${oldest - 1}`;
    throw invalidAt([{ path, message }]);
  }
  if (sent > sequence)
    throw invalidAt([{ path, message: `is beyond the feed's end: the latest event is ${sequence}` }]);
  return sent;
}
