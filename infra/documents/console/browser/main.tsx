/** The console: its frame around the screens. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { type ComponentType, render } from "preact";
import { useState } from "preact/hooks";
import { Events } from "./events.tsx";
import { ImportPage } from "./import/screen.tsx";
import { Orders } from "./orders/list.tsx";
import { OrderPage } from "./orders/order.tsx";
import { href, type Route, useAddress } from "./parts/route.ts";
import { keepForTab, type Session, SignedContext } from "./parts/service.ts";
import { Shortcuts } from "./parts/shortcuts.tsx";
import { Badge, Button, type Of, Screen } from "./parts/ui.tsx";
import { Requests } from "./requests.tsx";
import { SignIn } from "./sign-in.tsx";
import { StockList } from "./stock/list.tsx";
import { ProductPage } from "./stock/product.tsx";
import { Webhooks } from "./webhooks/list.tsx";
import { WebhookPage } from "./webhooks/webhook.tsx";

interface Place {
  readonly path: string;
  readonly name: string;
  readonly All: ComponentType;
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

function Shown({ path: [path, id] }: Route) {
  const { All = NotFound, One } = places.find((one) => one.path === path) ?? {};
  return id === undefined || One === undefined ? <All key={path} /> : <One key={`${path} ${id}`} id={id} />;
}

const Toast = ({ of }: Of<string>) => <p class="toast">{of}</p>;

const NotFound = () => <Screen title="Nothing here">There is no such page.</Screen>;

function Console() {
  const [session, setSession] = useState<Session>();
  const [rejection, setRejection] = useState<ServiceError>();
  const [said, setSaid] = useState({ text: "", number: 0 });
  const route = useAddress();
  const announce = (text: string) => setSaid(({ number }) => ({ text, number: number + 1 }));
  const reject = (failure?: ServiceError): void => {
    keepForTab();
    setRejection(failure);
    setSession(undefined);
  };
  if (session === undefined) return <SignIn rejection={rejection} onSignedIn={setSession} />;
  const links = places.map(({ path, name }) => (
    <a key={path} href={href([path])} aria-current={route.path[0] === path ? "page" : undefined}>
      {name}
    </a>
  ));
  return (
    <SignedContext.Provider value={{ ...session, route, reject, announce }}>
      <header class="menu">
        <Button of="Skip to the content" class="skip" onClick={() => document.querySelector("h1")?.focus()} />
        <nav class="row" aria-label="Console">
          {links}
        </nav>
        <div class="row">
          Account {session.accountId}
          {!session.mayWrite && <Badge of="read-only" />}
          {session.isSandbox && <Badge of="sandbox" />}
          <a href="/apirest/v4/oms/docs">Docs</a>
          <Button of="Sign out" onClick={() => reject()} />
        </div>
      </header>
      <main id="content">
        <Shown {...route} />
      </main>
      <Shortcuts of={places} />
      <div role="status">{said.number > 0 && <Toast key={said.number} of={said.text} />}</div>
    </SignedContext.Provider>
  );
}

const place = document.getElementById("console");
if (place !== null) render(<Console />, place);
