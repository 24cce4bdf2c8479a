/** What can be done with an order: each action, or why it is refused. */
import type { OrderWithHistory } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { newKey, useAction } from "./parts/calls.ts";
import { ChangeButton, Changes } from "./parts/change.tsx";
import { Button, Field } from "./parts/forms.tsx";
import { useSession } from "./parts/session.ts";
import { Failure } from "./parts/ui.tsx";

interface ActionsProps {
  readonly order: OrderWithHistory;
  readonly reload: () => void;
}

const names: Readonly<Record<string, string>> = {
  cancelOrder: "Cancel order",
  setSubStatus: "Set sub-status",
  updateOrders: "Edit",
  createReturns: "Announce a return",
};

export function OrderActions({ order, reload }: ActionsProps) {
  const { mayWrite, isSandbox } = useSession();
  return (
    <>
      <h2>Actions</h2>
      {!mayWrite && <p class="faint">This key is read-only.</p>}
      <ul>
        {order.actions.map(({ action, allowed, reason, method, path }) => (
          <li key={action}>
            {mayWrite && allowed && (action === "cancelOrder" || action === "setSubStatus") ? (
              <OrderChange {...{ action, order, reload }} />
            ) : (
              <>
                <span class={allowed ? "" : "faint"}>{names[action] ?? action}</span>{" "}
                {/* The screen of requests would fill in another order's example. */}
                <small class="faint">{allowed ? mayWrite && `by ${method} ${path}` : reason}</small>
              </>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && isSandbox && <Warehouse {...{ order, reload }} />}
    </>
  );
}

interface OrderChangeProps extends ActionsProps {
  readonly action: "cancelOrder" | "setSubStatus";
}

/** Changes the order as it was seen. */
function OrderChange({ action, order, reload }: OrderChangeProps) {
  const { order_id, sub_status, version } = order;
  const label = names[action] ?? action;
  const isCancel = action === "cancelOrder";
  return (
    <ChangeButton
      label={label}
      send={(client, { query, headers }, { sub_status = "" }) => {
        const init = { params: { query }, headers: { ...headers, "If-Match": `"${version}"` } };
        return isCancel
          ? client.POST("/orders/cancel", { ...init, body: { order_id } })
          : client.POST("/orders/sub_status", { ...init, body: { order_id, sub_status } });
      }}
      preview={({ data }) => <Changes from={order} to={data} />}
      onDone={reload}
    >
      {!isCancel && (
        <Field
          label="Sub-status"
          name="sub_status"
          value={sub_status ?? ""}
          required
          maxLength={64}
          hint="Your own word for where the order stands"
        />
      )}
    </ChangeButton>
  );
}

const stages = [
  ["picked", "Pick"],
  ["shipped", "Ship"],
  ["returned", "Return"],
] as const;

/** Plays the warehouse of a sandbox, which has no dry run. */
function Warehouse({ order: { order_id }, reload }: ActionsProps) {
  const { isBusy, failure, run } = useAction();
  // One key for each button, until it has done its work.
  const [key, setKey] = useState(newKey);
  const play = (to: (typeof stages)[number][0]) =>
    run(async (client) => {
      const headers = { "Idempotency-Key": `${key} ${to}` };
      await client.POST("/simulations", { headers, body: { order_id, to } });
      setKey(newKey);
      reload();
    });
  return (
    <>
      <h2>Play the warehouse</h2>
      <div class="row">
        {stages.map(([to, name]) => (
          <Button key={to} disabled={isBusy} onClick={() => play(to)}>
            {name}
          </Button>
        ))}
      </div>
      {failure !== undefined && <Failure of={failure} />}
    </>
  );
}
