/** Records the release at each deployment, and rejects one that can't work with the stored data. */

import type { Database } from "../../shared/store/dynamodb/database.ts";
import { getItem } from "../../shared/store/dynamodb/reads.ts";
import { transact, untilFresh } from "../../shared/store/dynamodb/transact.ts";
import { insertOf } from "../../shared/store/dynamodb/writes.ts";
import {
  type Accepted,
  type Deployment,
  deploymentLookup,
  incompatibilityOf,
  parseDeployment,
  WrongLayout,
} from "../../shared/store/layouts/deployment.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";
import { isEmpty } from "./scan.ts";

export interface Release extends Accepted {
  readonly release: string;
  /** The later lookup indexes that its code writes. */
  readonly indexes: readonly string[];
}

/**
 * The tables that show whether data exist. `secrets` is not among them: only the sender of webhooks may read
 * it.
 */
export const tablesWithData: readonly TableName[] = tableNames.filter((table) => table !== "secrets");

/**
 * Records the release. A deployment without data starts with the release's layout; one with data keeps its
 * layout.
 * @throws WrongLayout if the release can't work with the data; nothing is changed then
 */
export const recordDeployment = (db: Database, { release, indexes, ...accepted }: Release): Promise<void> =>
  untilFresh(db, async () => {
    const { current } = accepted;
    const found = parseDeployment(await getItem(db, deploymentLookup));
    if (found === undefined)
      return begin(db, {
        data_layout: current,
        writes_layout: current,
        release,
        release_layout: current,
        complete_indexes: [...indexes],
        indexes_release: release,
      });
    // A stack that rolls back records the release that it came from. Rejecting that release would leave the
    // stack half updated.
    if (found.release === release && found.release_layout === current) return;
    const incompatibility = incompatibilityOf(accepted, found);
    if (incompatibility !== undefined)
      throw new WrongLayout(`Release ${release} can't be deployed here. ${incompatibility}`);
    const { data_layout, writes_layout } = found;
    await transact(db, [
      {
        kind: "change",
        ...deploymentLookup,
        set: {
          release,
          release_layout: current,
          writes_layout: Math.max(writes_layout, current),
          complete_indexes: indexes.filter((index) => found.complete_indexes.includes(index)),
          indexes_release: release,
        },
        // A migration may end after the read, and the previous release can't be deployed from then on.
        when: [
          { attribute: "data_layout", equals: data_layout },
          { attribute: "writes_layout", equals: writes_layout },
        ],
      },
    ]);
  });

async function begin(db: Database, deployment: Deployment): Promise<void> {
  const empty = await Promise.all(tablesWithData.map((table) => isEmpty(db, table)));
  if (empty.includes(false))
    throw new WrongLayout(
      "These tables hold data from before release 1.0.0, which can't be upgraded. Deploy under another name, and import the " +
        "data there: see docs/operators/upgrades.md.",
    );
  await transact(db, [insertOf(deploymentLookup, deployment)]);
}
