/** The deployment's own record in `identity`: the layout of the data, and the release that wrote them. */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { only, type RawItem } from "../dynamodb/keys.ts";
import { type Layouts, type LayoutsInUse, movedKinds } from "./layouts.ts";

export const deploymentPartition = "deployment";

export const deploymentLookup = { table: "identity", key: { pk: deploymentPartition, sk: only } } as const;

/** The attributes of the record. `layout` is taken by the layout of the item itself. */
const deployment = z.object({
  /** The layout that all data have reached. No item is older. */
  data_layout: primitive.int,
  /** The latest layout that a deployed release wrote. No item is newer. */
  writes_layout: primitive.int,
  /** The last deployed release. */
  release: primitive.text,
  release_layout: primitive.int,
  /** The later lookup indexes that are complete: that release, and all since their backfill, wrote them. */
  complete_indexes: z._default(z.array(primitive.text), []),
  /**
   * The release that wrote `complete_indexes`. A release that does not know an index changes only the other
   * attributes: this one then names another release, and the index no longer counts as complete.
   */
  indexes_release: z.optional(primitive.text),
});
export type Deployment = z.output<typeof deployment>;

/** This release can't work with the deployment's data. The message says what to run. */
export class WrongLayout extends Error {
  override readonly name = "WrongLayout";
}

/** @throws if the item is not a deployment's record */
export function parseDeployment(item: RawItem | undefined): Deployment | undefined {
  if (item === undefined) return undefined;
  const { data } = z.safeParse(deployment, item);
  if (data === undefined) throw new Error("the item deployment of the table identity can't be read");
  return data.indexes_release === data.release ? data : { ...data, complete_indexes: [] };
}

export interface Accepted {
  readonly current: number;
  /** The previous layout if the release can read it; else the current one. */
  readonly oldest: number;
  /** The next layout if the release can read it; else the current one. */
  readonly newest: number;
}

export const acceptedBy = (layouts: Layouts): Accepted => ({
  current: layouts.current,
  oldest: movedKinds(layouts).length === 0 ? layouts.current : layouts.current - 1,
  newest: Math.max(layouts.current, ...layouts.later.map(({ layout }) => layout)),
});

/** Why a release can't work with a deployment, and what to do about it; undefined if it can. */
export function incompatibilityOf(
  { current, oldest, newest }: Accepted,
  found: Deployment | undefined,
): string | undefined {
  if (found === undefined)
    return (
      "The table identity does not say which layout the data of this deployment have, which the stack NAME-data stores. " +
      "Deploy that stack."
    );
  const { data_layout: layout, writes_layout: writes, release } = found;
  // A release that writes an older layout than all data have would undo a migration.
  const isNewer = writes > newest || layout > current;
  const expected = oldest === current ? current : `${oldest} or ${current}`;
  const facts =
    `The data of this deployment have layout ${isNewer ? writes : layout}, expected ${expected}; ` +
    `release ${release} was deployed last.`;
  if (isNewer) return `${facts} Deploy release ${release}, or a later one.`;
  if (layout >= oldest) return undefined;
  return (
    `${facts} Deploy a release of layout ${layout + 1} first, run "operator data migrate" of that release, ` +
    "and go on from there: see CHANGELOG.md."
  );
}

/** How long functions take an index for incomplete, in milliseconds, before they read the record again. */
const rereadAfter = 30_000;

/** The layouts of a connection. `read` reads the deployment's record when it is first needed. */
export function deploymentOf(
  layouts: Layouts,
  read: (abortSignal?: AbortSignal) => Promise<RawItem | undefined>,
): LayoutsInUse {
  const accepted = acceptedBy(layouts);
  let found: Deployment | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = async (abortSignal?: AbortSignal): Promise<void> => {
    const item = await read(abortSignal);
    found = parseDeployment(item);
    readAt = Date.now();
  };
  const isComplete = (index: string): boolean => found?.complete_indexes.includes(index) === true;
  return {
    ...layouts,
    hasIndex: async (index) => {
      if (!isComplete(index) && readAt + rereadAfter < Date.now()) await refresh();
      return isComplete(index);
    },
    isReached: () => found?.data_layout === layouts.current,
    refresh,
    check: async () => {
      if (found === undefined || incompatibilityOf(accepted, found) !== undefined) await refresh();
      const incompatibility = incompatibilityOf(accepted, found);
      if (incompatibility !== undefined) throw new WrongLayout(incompatibility);
    },
  };
}
