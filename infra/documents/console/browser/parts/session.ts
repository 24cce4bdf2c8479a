/** Who is signed in: an account's credentials, its client, and what its key may do. */
import { type OmsClient, omsClient, ServiceError } from "order-inventory-warehouse-client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface Credentials {
  readonly accountId: number;
  readonly key: string;
}

export type Client = OmsClient;

export interface Session extends Credentials {
  readonly client: Client;
  /** Whether the key may write. Without, the console has no buttons that do. */
  readonly mayWrite: boolean;
  /** Whether the account's warehouse may be simulated. */
  readonly isSandbox: boolean;
}

/** What all paths of the API begin with. */
export const apiPath = "/apirest/v4/oms";

const refusedWith = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ServiceError && [400, 403, 404, 409].includes(error.status)) return error.status;
    throw error;
  }
};

/** The largest id that the API accepts. No order has it. */
const noOrder = 999_999_999_999_999;

/**
 * Signs in. No call of the API says what a key may do, so two calls show it that cannot change anything.
 * @throws {ServiceError} if the credentials are refused, or no answer comes
 */
export async function signIn(credentials: Credentials): Promise<Session> {
  // A page waits for few retries: what fails is shown, and tried again from there.
  const client = omsClient({ ...credentials, url: location.origin, retries: { attempts: 3 } });
  const dryRun = { params: { query: { dry_run: true } }, body: { order_id: 0 } };
  const simulation = { body: { order_id: noOrder, to: "picked" } } as const;
  const [write, simulate] = await Promise.all([
    refusedWith(client.POST("/orders/cancel", dryRun)),
    refusedWith(client.POST("/simulations", simulation)),
  ]);
  return { ...credentials, client, mayWrite: write !== 403, isSandbox: simulate === 404 };
}

const storageKey = "console";

/** Keeps credentials until the tab is closed; without any, forgets those that are kept. */
export function keepForTab(credentials?: Credentials): void {
  if (credentials === undefined) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, `${credentials.accountId} ${credentials.key}`);
}

/** What the tab has kept, unless something else has written there. */
export function keptForTab(): Credentials | undefined {
  const [, accountId, key] = /^(\d+) (.+)$/.exec(sessionStorage.getItem(storageKey) ?? "") ?? [];
  return accountId === undefined || key === undefined ? undefined : { accountId: Number(accountId), key };
}

interface Signed {
  readonly session: Session;
  /** Called with the failure of a call whose key is no longer accepted. */
  readonly reject: (failure: ServiceError) => void;
  /** Announces what was done. */
  readonly announce: (text: string) => void;
}

export const SignedContext = createContext<Signed | undefined>(undefined);

export function useSigned(): Signed {
  const signed = useContext(SignedContext);
  if (signed === undefined) throw new Error("No one is signed in");
  return signed;
}

export const useSession = (): Session => useSigned().session;
