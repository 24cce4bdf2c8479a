/**
 * Data of every kind, as the last release stored them, in a deployment; and what the API answers for them.
 */
import { isDeepStrictEqual } from "node:util";
import { demoStore } from "../../infra/demo/registry.ts";
import { connect } from "../../shared/store/dynamodb/database.ts";
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
  const contents = contentsIn(version);
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

/** @throws naming the calls that are answered otherwise than before */
export function expectSameAnswers(before: readonly Answered[], after: readonly Answered[]): void {
  const different = before.filter((answer, index) => !isDeepStrictEqual(answer, after[index]));
  if (before.length !== after.length || different.length > 0)
    throw new Error(`answered otherwise than before: ${different.map(({ call }) => call).join(", ")}`);
}
