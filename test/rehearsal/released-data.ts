/**
 * Data of every kind, as the last release stored them, in a deployment; and what the API answers for them.
 */
import { isDeepStrictEqual } from "node:util";
import { demoStore } from "../../infra/demo/registry.ts";
import { connect } from "../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type Answered, answersOf, contentsIn } from "../releases/snapshot.ts";
import { client } from "../support/http/client.ts";
import { putItems } from "../support/records/demo-data.ts";
import type { Emulator } from "./emulator/emulator.ts";
import { tablesOf } from "./emulator/stacks.ts";
import type { Store } from "./emulator/store.ts";

/**
 * Puts a release's snapshot into the empty tables of a deployment. What was published comes first, since the
 * publisher is called with all that follows, and must find that it is published already.
 */
export async function putReleasedData(emulator: Emulator, version: string): Promise<void> {
  const db = connect(await tablesOf(emulator), emulator.clientConfig);
  const contents = contentsIn(version).map(({ table, items }) => ({
    table,
    items: items.map(failingSinceNow),
  }));
  await putItems(
    db,
    contents.filter(({ table }) => table === "events"),
  );
  await putItems(
    db,
    contents.filter(({ table }) => table !== "events"),
  );
}

/**
 * A webhook as if its receiver had begun to fail now. One that fails for 72 hours is disabled, which is an
 * event.
 */
const failingSinceNow = (item: RawItem): RawItem =>
  typeof item["failing_since"] === "string" ? { ...item, failing_since: new Date().toISOString() } : item;

/**
 * Puts a release's products, stock and serials into a deployment, and nothing that says which release stored
 * them.
 */
export async function putUnrecordedData(
  emulator: Emulator,
  version: string,
  deployment: string,
): Promise<void> {
  const db = connect(await tablesOf(emulator, deployment), emulator.clientConfig);
  await putItems(
    db,
    contentsIn(version).filter(({ table }) => table === "inventory"),
  );
}

/**
 * What the API answers for these data, but for deliveries: they are attempted again while the rehearsal goes
 * on.
 */
export async function answersFor(url: string, { wms }: Pick<Store, "wms">): Promise<readonly Answered[]> {
  const { account_id, key } = demoStore;
  const oms = client(`${url}/apirest/v4/oms`, { AccountID: String(account_id), Key: key });
  const answers = await answersOf({ oms, wms });
  return answers.filter(({ call }) => !call.includes("/webhooks"));
}

/** @throws naming the calls that are answered otherwise than before, with where the answers part */
export function expectSameAnswers(before: readonly Answered[], after: readonly Answered[]): void {
  if (before.length !== after.length)
    throw new Error(`there were ${before.length} calls to make before, and there are ${after.length} now`);
  const different = before.flatMap((was, index) => {
    const is = after[index];
    return isDeepStrictEqual(was, is) ? [] : [differenceOf(JSON.stringify(was), JSON.stringify(is))];
  });
  if (different.length > 0) throw new Error(`answered otherwise than before:\n${different.join("\n")}`);
}

/** The beginnings of two texts, which name the call, and what follows from where they part. */
function differenceOf(was: string, is: string): string {
  let same = 0;
  while (same < was.length && was[same] === is[same]) same += 1;
  const from = Math.max(0, same - 100);
  return `${was.slice(0, 100)}\nwas … ${was.slice(from, same + 300)}\nis  … ${is.slice(from, same + 300)}`;
}
