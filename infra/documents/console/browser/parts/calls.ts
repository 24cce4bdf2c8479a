/** Calls whose answers a screen shows, and what goes wrong with them. */
import { ServiceError } from "order-inventory-warehouse-client";
import { type Inputs, useEffect, useMemo, useState } from "preact/hooks";
import { type Client, useSigned } from "./session.ts";

export interface Call<T> {
  /** The last answer. It stays in sight while a newer one is awaited. */
  readonly data?: T;
  readonly failure?: ServiceError;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const retryMs = 3000;

/** Whether the service may answer the same call later. */
export const isTemporary = ({ status }: ServiceError): boolean =>
  status === 0 || status === 429 || status >= 500;

/** The error of a call. One without an answer, or with one that is not JSON, has the status 0. */
export function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ServiceError({ message, cause: error });
}

/** What was entered is wrong, as the service would say it. */
export const refusal = (message: string): ServiceError => new ServiceError({ message, status: 400 });

/** An `Idempotency-Key`: 128 random bits, since `crypto.randomUUID` is not there on pages without TLS. */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

interface State<T> extends Omit<Call<T>, "reload"> {
  /** Which inputs the answer is for. */
  readonly of?: object;
}

/**
 * Reads when the screen appears and whenever one of `inputs` changes. While the service is down, it reads
 * again every three seconds. A key that is not accepted leads to the sign-in.
 */
export function useCall<T>(
  read: (client: Client, signal: AbortSignal) => Promise<T>,
  inputs: Inputs = [],
): Call<T> {
  const { session, reject } = useSigned();
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<State<T>>({ isLoading: true });
  const of = useMemo(() => ({}), inputs);
  const reload = () => setTurn((last) => last + 1);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState((last) => ({ ...last, isLoading: true }));
    read(session.client, signal).then(
      (data) => signal.aborted || setState({ data, of, isLoading: false }),
      (error: unknown) => {
        if (signal.aborted) return;
        const failure = failureOf(error);
        if (failure.status === 401) return reject(failure);
        // What was read for other inputs must not stay beside it.
        setState((last) => ({ ...(last.of === of && last), failure, isLoading: false }));
        if (isTemporary(failure)) timer = setTimeout(reload, retryMs);
      },
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [...inputs, turn]);
  return { ...state, reload };
}

/** What a button does with the service: one call at a time, and what went wrong with the last. */
export function useAction() {
  const { session, reject } = useSigned();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ServiceError>();
  const run = async (action: (client: Client) => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action(session.client);
    } catch (error) {
      const failed = failureOf(error);
      if (failed.status === 401) return reject(failed);
      setFailure(failed);
    }
    setBusy(false);
  };
  return { isBusy, failure, run };
}
