/** Moves stored items to the current layout of their kind, while functions read and write them. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { isStored } from "../dynamodb/change-one.ts";
import type { Database } from "../dynamodb/database.ts";
import { updateInput } from "../dynamodb/expressions.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { type Change, stale, type Write } from "../dynamodb/writes.ts";
import { hasLayout, layoutToWrite } from "./layout-writes.ts";
import { hasLater, keyIn, type LaterKind, laterKind, layoutAttribute, layoutIn, picked } from "./layouts.ts";

/** An item that DynamoDB returns with a failed condition. */
type Shown = Parameters<typeof unmarshall>[0];

/**
 * After a condition of a write failed: moves the item to the layout in use, or reads again which layout that
 * is.
 * @param shown the item that DynamoDB returned with the failed condition, so no permission to read is needed
 * @returns whether the layout may be the cause, so that a retry may succeed
 */
export async function alignLayout(db: Database, write: Write, shown: Shown | undefined): Promise<boolean> {
  if (write.kind !== "change" || shown === undefined || !hasLater(db.layouts, write.table)) return false;
  const kind = laterKind(db.layouts, write.table, write.key);
  if (kind?.change === undefined) return false;
  const item = unmarshall(shown);
  if (layoutIn(item) === layoutToWrite(db.layouts, kind)) return false;
  if (layoutIn(item) === kind.change.previous) await moveItem(db, kind, item);
  else if (layoutIn(item) === kind.layout) await db.layouts.refresh();
  else return false;
  return true;
}

/**
 * Moves an item to the current layout of its kind. Writes only the attributes of the layout change, and only
 * if they are as they were read, so that no concurrent change is lost.
 * @returns false if the item has changed since, or is being changed
 */
export async function moveItem(db: Database, kind: LaterKind, item: RawItem): Promise<boolean> {
  const { table, layout, change } = kind;
  if (change === undefined) throw new Error(`this release does not change the layout of ${kind.name}`);
  const { previous, from, upcast } = change;
  const write: Change = {
    kind: "change",
    table,
    key: keyIn(item),
    set: { ...upcast(picked(item, from)), [layoutAttribute]: layout },
    remove: [...from],
    when: [
      { attribute: "pk", is: "present" },
      hasLayout(previous),
      ...from.map((name) =>
        name in item
          ? { attribute: name, equalsValue: item[name] }
          : ({ attribute: name, is: "absent" } as const),
      ),
    ],
    rejection: stale,
  };
  return isStored(db.client.send(new UpdateCommand(updateInput(db, write))));
}
