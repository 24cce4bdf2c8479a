/** Calls whose answers a screen shows. */
import { ServiceError } from "order-inventory-warehouse-client";
import { type Inputs, useEffect, useState } from "preact/hooks";
import { useSigned } from "./session.ts";

export interface Call<T> {
  /** The last answer. It stays in sight while a newer one is awaited. */
  readonly data: T | undefined;
  readonly failure: ServiceError | undefined;
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

/**
 * Reads when the screen appears and whenever one of `inputs` changes. While the service is down, it reads
 * again every three seconds. A key that is not accepted leads to the sign-in.
 */
export function useCall<T>(read: (signal: AbortSignal) => Promise<T>, inputs: Inputs): Call<T> {
  const { reject } = useSigned();
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<Call<T>, "reload">>({
    data: undefined,
    failure: undefined,
    isLoading: true,
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState(({ data, failure }) => ({ data, failure, isLoading: true }));
    read(signal).then(
      (data) => {
        if (!signal.aborted) setState({ data, failure: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const failure = failureOf(error);
        if (failure.status === 401) return reject(failure);
        setState(({ data }) => ({ data, failure, isLoading: false }));
        if (isTemporary(failure)) timer = setTimeout(() => setTurn((last) => last + 1), retryMs);
      },
    );
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [...inputs, turn]);
  return { ...state, reload: () => setTurn((last) => last + 1) };
}
