/** The console: its frame around the screens. */
import type { ServiceError } from "order-inventory-warehouse-client";
import { render } from "preact";
import { useState } from "preact/hooks";
import { Events } from "./events.tsx";
import { ImportPage } from "./import/screen.tsx";
import { OrderPage } from "./order.tsx";
import { Orders } from "./orders.tsx";
import { href, useRoute } from "./parts/route.ts";
import { keepForTab, type Session, SignedContext } from "./parts/session.ts";
import { Shortcuts } from "./parts/shortcuts.tsx";
import { Empty } from "./parts/ui.tsx";
import { Requests } from "./requests.tsx";
import { SignIn } from "./sign-in.tsx";
import { ProductPage, StockList } from "./stock.tsx";
import { WebhookPage } from "./webhook.tsx";
import { Webhooks } from "./webhooks.tsx";

/** The screens, in the order of the menu; `g` and the letter lead to each. */
const screens = [
  { path: "orders", name: "Orders", letter: "o" },
  { path: "stock", name: "Stock", letter: "s" },
  { path: "events", name: "Events", letter: "e" },
  { path: "webhooks", name: "Webhooks", letter: "w" },
  { path: "import", name: "Import", letter: "i" },
  { path: "requests", name: "Requests", letter: "r" },
] as const;

function Screen() {
  const { path } = useRoute();
  const [screen, id] = path;
  if (screen === "orders") return id === undefined ? <Orders /> : <OrderPage key={id} id={id} />;
  if (screen === "stock") return id === undefined ? <StockList /> : <ProductPage key={id} sku={id} />;
  if (screen === "events") return <Events />;
  if (screen === "webhooks")
    return id === undefined ? <Webhooks /> : <WebhookPage key={id} id={Number(id)} />;
  if (screen === "import") return <ImportPage />;
  if (screen === "requests") return <Requests />;
  return <Empty>There is no such page.</Empty>;
}

function Console() {
  const [session, setSession] = useState<Session>();
  const [rejection, setRejection] = useState<ServiceError>();
  const [said, announce] = useState("");
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
      <Menu session={session} onEnd={() => end()} />
      <main id="content" tabIndex={-1}>
        <Screen />
      </main>
      <Shortcuts screens={screens} />
      <p class="toast" role="status" key={said}>
        {said}
      </p>
    </SignedContext.Provider>
  );
}

function Menu({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { path } = useRoute();
  return (
    <header class="menu">
      <nav aria-label="Console">
        {screens.map((screen) => (
          <a
            key={screen.path}
            href={href([screen.path])}
            aria-current={path[0] === screen.path ? "page" : undefined}
          >
            {screen.name}
          </a>
        ))}
      </nav>
      <div class="account">
        <span>
          Account {session.accountId}
          {!session.mayWrite && <span class="badge gray">read-only</span>}
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
