/** The form that asks for an account's id and key. It is sent nowhere: the key stays in memory. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useState } from "preact/hooks";
import { failureOf } from "./parts/calls.ts";
import { Field, onSubmit } from "./parts/forms.tsx";
import { type Credentials, keepForTab, keptForTab, type Session, signIn } from "./parts/session.ts";
import { Failure } from "./parts/ui.tsx";

interface SignInProps {
  /** Why the last session ended, if its key was refused. */
  readonly rejection: ServiceError | undefined;
  readonly onSignedIn: (session: Session) => void;
}

/** Signs in with what is entered, or with what the tab has kept. */
export function SignIn({ rejection, onSignedIn }: SignInProps) {
  const [failure, setFailure] = useState(rejection);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (credentials: Credentials): Promise<void> => {
    setBusy(true);
    try {
      onSignedIn(await signIn(credentials));
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  useEffect(() => {
    document.title = "Console";
    const kept = keptForTab();
    if (kept !== undefined) attempt(kept);
  }, []);
  const submit = onSubmit((form) => {
    const [account, key, keep] = form.querySelectorAll("input");
    const credentials = { accountId: Number(account?.value), key: key?.value.trim() ?? "" };
    keepForTab(keep?.checked ? credentials : undefined);
    attempt(credentials);
  });
  return (
    <main class="sign-in">
      <h1>Console</h1>
      <p class="faint">Orders, stock, events and webhooks of an account, read by the same API as yours.</p>
      {failure !== undefined && <Failure of={failure} />}
      {/* Without names, no browser could put the fields into an address. */}
      <form onSubmit={submit}>
        <Field
          label="Account id"
          autoFocus
          inputMode="numeric"
          pattern="[0-9]+"
          autocomplete="username"
          required
        />
        <Field label="Key" type="password" autocomplete="current-password" required />
        <label class="check">
          <input type="checkbox" /> <span>Keep them until this tab is closed</span>
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
      </form>
      <p class="faint">
        The key is held in memory. A read-only key sees everything but webhooks, and changes nothing.{" "}
        <a href="/apirest/v4/oms/docs">Documentation</a>
      </p>
    </main>
  );
}
