/** What the rehearsal's own calls need, set up by the operator's commands. */
import * as z from "zod";
import { type Client, client } from "../../support/http/client.ts";
import { operator } from "../commands.ts";
import type { Emulator } from "./emulator.ts";

/** An account that traffic is sent in the name of, and the warehouse as its user. */
export interface Store {
  readonly accountId: number;
  readonly oms: Client;
  readonly wms: Client;
  readonly masterKey: string;
  readonly key: string;
}

const accountId = 500;
const user = "rehearsal";
const keyed = z.object({ key: z.string() });

/** Sets up a warehouse with a bin, its user, and an account that can order. */
export async function setUpStore(emulator: Emulator, url: string): Promise<Store> {
  const run = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse((await operator(emulator, ...words, "--json", "--yes")).stdout);
  await run("distribution-centers", "add", "500", "REHEARSAL", "Rehearsal Warehouse");
  await run("bins", "add", "500", "R1", "01", "REHEARSAL");
  await run("users", "create", user);
  const { key: masterKey } = keyed.parse(await run("master-key", "rotate"));
  const { key } = keyed.parse(await run("accounts", "create", String(accountId), "Rehearsal Store"));
  await run("shipping-methods", "add", String(accountId), "GROUND");
  return {
    accountId,
    masterKey,
    key,
    oms: client(`${url}/apirest/v4/oms`, { AccountID: String(accountId), Key: key }),
    wms: client(`${url}/apirest/v4/wms`, { userName: user, Key: masterKey }),
  };
}
