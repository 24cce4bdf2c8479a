/** The service: who is signed in, what the key may do, and calls whose answers a screen shows. */
import { type OmsClient, omsClient, ServiceError } from "order-inventory-warehouse-client";
import { createContext } from "preact";
import { type Inputs, useContext, useEffect, useMemo, useState } from "preact/hooks";
import type { Route } from "./route.ts";

export interface Credentials {
  readonly accountId: number;
  readonly key: string;
}

export type Client = OmsClient;

export interface Session extends Credentials {
  readonly client: Client;
  /** Whether the key may write. Otherwise the console has no buttons that do. */
  readonly mayWrite: boolean;
  /** Whether the account's warehouse may be simulated. */
  readonly isSandbox: boolean;
}

export const apiPath = "/apirest/v4/oms";

/** The largest id that the API accepts. No order has it. */
const noOrder = 999_999_999_999_999;

/**
 * Signs in. No call of the API returns what a key may do, so two calls that can't change anything test it.
 * @throws {ServiceError} if the credentials are rejected, or there is no answer
 */
export async function signIn(credentials: Credentials): Promise<Session> {
  // A page waits for few retries: failures are shown, and can be retried there.
  const client = omsClient({ ...credentials, url: location.origin, retries: { attempts: 3 } });
  const dryRun = { params: { query: { dry_run: true } }, body: { order_id: 0 } };
  const [write, simulate] = await Promise.all([
    client.POST("/orders/cancel", dryRun).catch(failureOf),
    client.POST("/simulations", { body: { order_id: noOrder, to: "picked" } }).catch(failureOf),
  ]);
  for (const one of [write, simulate])
    if (one instanceof ServiceError && (one.status === 401 || isTemporary(one))) throw one;
  const statusOf = (one: unknown) => (one instanceof ServiceError ? one.status : 200);
  const [mayWrite, isSandbox] = [statusOf(write) !== 403, statusOf(simulate) === 404];
  return { ...credentials, client, mayWrite, isSandbox };
}

const storageKey = "console";

/** Keeps credentials until the tab is closed; without any, removes those that are kept. */
export function keepForTab(credentials?: Credentials): void {
  if (credentials === undefined) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, `${credentials.accountId} ${credentials.key}`);
}

/** The credentials that the tab has kept, unless something else has overwritten them. */
export function keptForTab(): Credentials | undefined {
  const [, accountId, key] = /^(\d+) (.+)$/.exec(sessionStorage.getItem(storageKey) ?? "") ?? [];
  return key === undefined ? undefined : { accountId: Number(accountId), key };
}

interface Signed extends Session {
  readonly route: Route;
  /** Called with the failure of a call whose key is no longer accepted. */
  readonly reject: (failure: ServiceError) => void;
  readonly announce: (text: string) => void;
}

export const SignedContext = createContext<Signed | undefined>(undefined);

export function useSigned(): Signed {
  const signed = useContext(SignedContext);
  if (signed === undefined) throw new Error("No one is signed in");
  return signed;
}

export interface Call<T> {
  /** The last answer. It remains visible while a newer one is awaited, and if the same call fails later. */
  readonly data?: T;
  readonly failure?: ServiceError;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const retryMs = 3000;

/** Whether the service may answer the same call later. */
export const isTemporary = ({ status }: ServiceError): boolean =>
  status === 0 || status === 429 || status >= 500;

/** The error of a call. Without an answer, or with one that is not JSON, its status is 0. */
export const failureOf = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new ServiceError({ message: messageOf(error), cause: error });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An `Idempotency-Key`: 128 random bits, since `crypto.randomUUID` does not exist on pages without TLS. */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

/**
 * Reads when the screen appears and whenever one of `inputs` changes. While the service is down, it reads
 * again every three seconds. A rejected key leads to the sign-in.
 */
export function useCall<T>(
  read: (client: Client, signal: AbortSignal) => Promise<T>,
  inputs: Inputs = [],
): Call<T> {
  const { client, reject } = useSigned();
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((last) => last + 1);
  // One object for what is read, and one for each read: they tell to what an answer belongs.
  const subject = useMemo(() => ({}), inputs);
  const reading = useMemo(() => ({ subject }), [subject, turn]);
  const [state, setState] = useState<Pick<Call<T>, "data" | "failure"> & { of?: typeof reading }>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fail = (error: unknown) => {
      const failure = failureOf(error);
      if (failure.status === 401) return reject(failure);
      setState((last) => ({ ...(last.of?.subject === subject && last), failure, of: reading }));
      if (isTemporary(failure)) timer = setTimeout(reload, retryMs);
    };
    read(client, signal).then(
      (data) => signal.aborted || setState({ data, of: reading }),
      (error: unknown) => signal.aborted || fail(error),
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [reading]);
  return { ...state, isLoading: state.of !== reading, reload };
}

/**
 * The service calls of a button: one at a time, with the failure of the last. A busy button is only announced
 * as disabled: disabling it would lose the focus.
 */
export function useAction() {
  const { client, reject } = useSigned();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ServiceError>();
  const run = async (action: (client: Client) => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const failed = await action(client).then(() => undefined, failureOf);
    if (failed?.status === 401) return reject(failed);
    setFailure(failed);
    setBusy(false);
  };
  return { isBusy, failure, run };
}
