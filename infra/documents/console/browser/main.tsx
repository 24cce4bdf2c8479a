/** The console: its frame around the screens. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { type ComponentType, render } from "preact";
import { useState } from "preact/hooks";
import { Events } from "./events.tsx";
import { ImportPage } from "./import/screen.tsx";
import { OrderPage } from "./order.tsx";
import { Orders } from "./orders.tsx";
import { href, RouteContext, useAddress, useRoute } from "./parts/route.ts";
import { keepForTab, type Session, SignedContext } from "./parts/session.ts";
import { Shortcuts } from "./parts/shortcuts.tsx";
import { Screen } from "./parts/ui.tsx";
import { Requests } from "./requests.tsx";
import { SignIn } from "./sign-in.tsx";
import { ProductPage, StockList } from "./stock.tsx";
import { WebhookPage } from "./webhook.tsx";
import { Webhooks } from "./webhooks.tsx";

interface Place {
  readonly path: string;
  readonly name: string;
  readonly All: ComponentType;
  /** One record of the list. */
  readonly One?: ComponentType<{ readonly id: string }>;
}

/** The screens, in the order of the menu; `g` and the first letter lead to each. */
const places: readonly Place[] = [
  { path: "orders", name: "Orders", All: Orders, One: OrderPage },
  { path: "stock", name: "Stock", All: StockList, One: ProductPage },
  { path: "events", name: "Events", All: Events },
  { path: "webhooks", name: "Webhooks", All: Webhooks, One: WebhookPage },
  { path: "import", name: "Import", All: ImportPage },
  { path: "requests", name: "Requests", All: Requests },
];

function Shown() {
  const [path, id] = useRoute().path;
  const place = places.find((one) => one.path === path);
  if (place === undefined) return <Screen title="Nothing here">There is no such page.</Screen>;
  const { All, One } = place;
  return id === undefined || One === undefined ? <All key={path} /> : <One key={`${path} ${id}`} id={id} />;
}

function Console() {
  const [session, setSession] = useState<Session>();
  const [rejection, setRejection] = useState<ServiceError>();
  const [said, setSaid] = useState({ text: "", number: 0 });
  const route = useAddress();
  const announce = (text: string) => setSaid(({ number }) => ({ text, number: number + 1 }));
  const end = (failure?: ServiceError): void => {
    keepForTab();
    setRejection(failure);
    setSession(undefined);
  };
  if (session === undefined) return <SignIn rejection={rejection} onSignedIn={setSession} />;
  return (
    <SignedContext.Provider value={{ session, reject: end, announce }}>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to the content
      </button>
      <RouteContext.Provider value={route}>
        <Menu session={session} onEnd={() => end()} />
        <main id="content" tabIndex={-1}>
          <Shown />
        </main>
      </RouteContext.Provider>
      <Shortcuts screens={places} />
      <p class="toast" role="status" key={said.number}>
        {said.text}
      </p>
    </SignedContext.Provider>
  );
}

function Menu({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const [current] = useRoute().path;
  return (
    <header class="menu">
      <nav aria-label="Console">
        {places.map(({ path, name }) => (
          <a key={path} href={href([path])} aria-current={current === path ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="account">
        <span class="row">
          Account {session.accountId}
          {!session.mayWrite && <span class="badge">read-only</span>}
          {session.isSandbox && <span class="badge blue">sandbox</span>}
        </span>
        <a href="/apirest/v4/oms/docs">Documentation</a>
        <button type="button" class="plain" onClick={onEnd}>
          Sign out
        </button>
      </div>
    </header>
  );
}

const place = document.getElementById("console");
if (place !== null) render(<Console />, place);
