import { inject } from "vitest";
import { connectTo, loadDemoData } from "../../infra/demo/data.ts";
import { type Runtime, type RuntimeOptions, startRuntime } from "../../infra/local/index.ts";
import type { Database } from "../../shared/store/database.ts";
import { type Client, client } from "./client.ts";

/** The service as it deploys, running here with the demo data. */
export interface Service {
  readonly runtime: Runtime;
  /** The tables themselves, without the functions' permissions and faults. */
  readonly db: Database;
  /** The OMS as the demo account 100. */
  readonly oms: Client;
  /** The WMS as the user `manager`. */
  readonly wms: Client;
  /** The OMS as another account. */
  readonly omsOf: (accountId: number) => Client;
  /** A client with headers of one's own. */
  readonly with: (headers: Readonly<Record<string, string>>) => Client;
}

export async function startService(options: Partial<RuntimeOptions> = {}): Promise<Service> {
  const runtime = await startRuntime({ assembly: inject("assembly"), ...options });
  await loadDemoData(runtime);
  const omsOf = (accountId: number) =>
    client(`${runtime.url}/apirest/v4/oms`, {
      AccountID: String(accountId),
      Key: `demo-oms-key-${accountId}`,
    });
  return {
    runtime,
    db: connectTo(runtime),
    oms: omsOf(100),
    wms: client(`${runtime.url}/apirest/v4/wms`, { userName: "manager", Key: "demo-master-key" }),
    omsOf,
    with: (headers) => client(runtime.url, headers),
  };
}
