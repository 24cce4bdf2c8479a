/**
 * Compares items that must agree, in one pass over their tables. A check states facts about single items:
 * sums that must come to 0 over all items, ids that exist, and ids that other items need. Facts that agree
 * cancel out, so memory does not grow with the number of items. Only if something is left over, the tables of
 * that check are read again, and the facts that do not cancel out name their subjects as suspects. Writers
 * may be active: each suspect is inspected before anything is reported (`inspection.ts`).
 */

import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import type { BlockList } from "../../../shared/store/lists/block-list.ts";
import type { RecordFacts } from "../../data-model/lookups.ts";
import { Fingerprints, type Id, IdSets } from "./fingerprints.ts";
import type { ListedRecord } from "./lists/list-sums.ts";
import type { ItemReader } from "./reading.ts";
import type { BookedBin } from "./stock/books.ts";

export type Fact<S> =
  /** A part of the sum of this name. All parts must add up to 0. A part of 0 only names the subject. */
  | { readonly sum: string; readonly by: number; readonly subject: S }
  | { readonly has: Id }
  | { readonly needs: Id; readonly subject: S }
  /** Something that the tables alone do not decide: it is always inspected. */
  | { readonly suspect: S };

/** An item of a list. One that is unreadable has neither facts nor a bin, and is not counted. */
export interface ListItem {
  readonly list: BlockList;
  readonly key: Key;
  readonly item: RawItem;
  readonly record?: RecordFacts | undefined;
  readonly bin?: BookedBin | undefined;
  /** What counters must count of it, if it is a record. */
  readonly counted?: ListedRecord;
  readonly isUnreadable?: true;
}

/** How one check derives facts: from items of lists, which all checks share, and from other items. */
export interface Facts<S> {
  readonly lists?: readonly BlockList[];
  readonly ofListItem?: (one: ListItem) => Iterable<Fact<S>>;
  readonly ofItems?: readonly (Omit<ItemReader, "read"> & {
    readonly facts: (item: RawItem) => Iterable<Fact<S>>;
  })[];
  /** Suspects that only the whole of what was read shows, besides those of facts. */
  readonly found?: () => Iterable<S>;
}

export interface Pass {
  readonly lists: readonly BlockList[];
  readonly readListItem: (one: ListItem) => void;
  readonly readers: readonly ItemReader[];
}

/** Lets facts cancel out. */
export interface FirstPass<S> extends Pass {
  readonly end: () => SecondPass<S>;
}

/** Names the subjects of facts that are left over. */
export interface SecondPass<S> extends Pass {
  /** If everything agrees, nothing has to be read. */
  readonly isNeeded: boolean;
  readonly suspects: () => readonly S[];
}

/** The first pass of a check. Subjects are the same if they are as JSON, without their functions. */
export function comparison<S>(facts: Facts<S>): FirstPass<S> {
  const sums = new Fingerprints();
  const [needed, existing] = [new IdSets(), new IdSets()];
  const suspects = new Map<string, S>();
  const suspect = (subject: S) => void suspects.set(JSON.stringify(subject), subject);

  const first = passOf(facts, (fact) => {
    if ("suspect" in fact) suspect(fact.suspect);
    else if ("has" in fact) existing.add(fact.has);
    else if ("needs" in fact) needed.add(fact.needs);
    else sums.count(fact.sum, fact.by);
  });
  const end = (): SecondPass<S> => {
    const missing = needed.without(existing);
    const unmet: { readonly needs: Id; readonly subject: S }[] = [];
    const second = passOf(facts, (fact) => {
      if ("suspect" in fact) suspect(fact.suspect);
      else if ("has" in fact) existing.add(fact.has);
      else if ("sum" in fact) {
        if (sums.isUneven(fact.sum)) suspect(fact.subject);
      } else if (missing.has(fact.needs)) unmet.push(fact);
    });
    const all = () => {
      // An id that was stored between the two passes is not missing.
      for (const { needs, subject } of unmet) if (!existing.has(needs)) suspect(subject);
      for (const subject of facts.found?.() ?? []) suspect(subject);
      return [...suspects.values()];
    };
    return { ...second, isNeeded: !sums.isEven || !missing.isEmpty, suspects: all };
  };
  return { ...first, end };
}

function passOf<S>({ lists = [], ofListItem, ofItems = [] }: Facts<S>, add: (fact: Fact<S>) => void): Pass {
  const addAll = (facts: Iterable<Fact<S>>): void => {
    for (const fact of facts) add(fact);
  };
  return {
    lists,
    readListItem: (one) => {
      if (lists.includes(one.list)) addAll(ofListItem?.(one) ?? []);
    },
    readers: ofItems.map(({ facts, ...place }) => ({ ...place, read: (item) => addAll(facts(item)) })),
  };
}
