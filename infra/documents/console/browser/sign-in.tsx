/** The form that asks for an account's id and key. It is sent nowhere: the key stays in memory. */
import { ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useState } from "preact/hooks";
import { Field, onSubmit } from "./parts/forms.tsx";
import * as service from "./parts/service.ts";
import { Button, Failure } from "./parts/ui.tsx";

interface SignInProps {
  /** Why the last session ended, if its key was rejected. */
  readonly rejection: ServiceError | undefined;
  readonly onSignedIn: (session: service.Session) => void;
}

/** Signs in with what is entered, or with what the tab has kept. */
export function SignIn({ rejection, onSignedIn }: SignInProps) {
  const [failure, setFailure] = useState(rejection);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (credentials: service.Credentials): Promise<void> => {
    setBusy(true);
    const signed = await service.signIn(credentials).catch(service.failureOf);
    if (!(signed instanceof ServiceError)) return onSignedIn(signed);
    setFailure(signed);
    setBusy(false);
  };
  useEffect(() => {
    document.title = "Console";
    const kept = service.keptForTab();
    if (kept !== undefined) attempt(kept);
  }, []);
  const submit = onSubmit((form) => {
    if (isBusy) return;
    const [account, key, keep] = form.querySelectorAll("input");
    const credentials = { accountId: Number(account?.value), key: key?.value.trim() ?? "" };
    service.keepForTab(keep?.checked ? credentials : undefined);
    attempt(credentials);
  });
  const id = { autoFocus: true, inputMode: "numeric", pattern: "[0-9]+", autocomplete: "username" } as const;
  return (
    <main class="sign-in">
      <h1>Console</h1>
      <p>Orders, stock, events and webhooks of an account, read by the same API as yours.</p>
      <Failure of={failure} />
      {/* Without names, no browser could put the fields into an address. */}
      <form onSubmit={submit}>
        <Field label="Account id" required {...id} />
        <Field label="Key" required type="password" autocomplete="current-password" />
        <Field label="Keep them until this tab is closed" type="checkbox" />
        <Button
          of={isBusy ? "Signing in…" : "Sign in"}
          type="submit"
          class="primary"
          aria-disabled={isBusy}
        />
      </form>
      <p>The key is held in memory. A read-only key sees everything but webhooks, and changes nothing.</p>
      <a href="/apirest/v4/oms/docs">Documentation</a>
    </main>
  );
}
