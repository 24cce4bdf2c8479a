/** The service as tests meet it, whether it is a file's own or shared with others. */
import { connectTo } from "../../../infra/demo/load.ts";
import { demoMasterKey } from "../../../infra/demo/registry.ts";
import type { Runtime } from "../../../infra/local/index.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Client, client, type Watch } from "../http/client.ts";

type Headers = Readonly<Record<string, string>>;

interface BrowserCall {
  readonly method?: "GET" | "POST";
  readonly headers?: Headers;
  readonly form?: Readonly<Record<string, string>>;
}

/** An account, and clients that call in its name. */
export interface Store {
  readonly accountId: number;
  /** What the account's calls of the OMS and of v2 carry. */
  readonly credentials: Headers;
  readonly oms: Client;
  /** v2 and Pro: what lies below `/apiv2`. */
  readonly v2: Client;
}

/** What a test can do without disturbing others: everything in the name of its own account. */
export interface Service extends Store {
  /** The tables themselves, without the functions' permissions and faults. */
  readonly db: Database;
  /** The WMS as the user `manager`. */
  readonly wms: Client;
  /** Another connection to the tables, for a test to change. */
  connect(): Database;
  /** A client of what lies below a path, with headers of one's own. */
  client(base: string, headers: Headers): Client;
  /** `client` of the whole service. */
  with(headers: Headers): Client;
  /**
   * A call as a browser makes it: without credentials, and its answer as it came. No redirect is followed.
   */
  browse(path: string, init?: BrowserCall): Promise<Response>;
  /** Resolves when every queued job is done. */
  settled(): Promise<void>;
  /** Has the next so many calls begin at the same time; see `atOnce`. */
  meet(count: number): Promise<void>;
}

/** An account that has this key. */
export const storeOf = (service: Pick<Service, "client">, accountId: number, key: string): Store => {
  const credentials = { AccountID: String(accountId), Key: key };
  return {
    accountId,
    credentials,
    oms: service.client("/apirest/v4/oms", credentials),
    v2: service.client("/apiv2", credentials),
  };
};

/** A running deployment: the local runtime's, or one in the emulator of AWS. */
export interface Deployed {
  readonly url: string;
  /** A connection to the tables that no permission restricts. */
  readonly connect: () => Database;
  /** Resolves when every queued job is done. */
  readonly settled: () => Promise<void>;
  /** Has the next so many calls begin at the same time, if the deployment can. */
  readonly meet: (count: number) => Promise<void>;
}

/** What the local runtime runs. */
export const deployedBy = (runtime: Runtime): Deployed => ({
  url: runtime.url,
  connect: () => connectTo(runtime),
  settled: () => runtime.settled(),
  meet: (count) => runtime.meet(count),
});

/** What every service offers besides an account. The watch looks at all calls that its clients make. */
export function serviceOf(deployed: Deployed, watch: Watch = {}): Omit<Service, keyof Store> {
  const { url: origin, connect, settled, meet } = deployed;
  const below = (base: string, headers: Headers): Client => client(`${origin}${base}`, headers, watch);
  return {
    db: connect(),
    wms: below("/apirest/v4/wms", { userName: "manager", Key: demoMasterKey }),
    connect,
    client: below,
    with: (headers) => below("", headers),
    browse: async (path, { method = "GET", headers = {}, form } = {}) => {
      const body = form === undefined ? undefined : new URLSearchParams(form);
      watch.guard?.(path, body?.toString());
      const init = { method, headers, redirect: "manual" as const };
      const response = await fetch(`${origin}${path}`, body === undefined ? init : { ...init, body });
      const { url, status, headers: answered } = response;
      watch.checkAnswer?.({ method, url, status, headers: answered, text: await response.clone().text() });
      return response;
    },
    settled,
    meet,
  };
}
