/** What can be done with an order: each action, or why it is refused. */
import type { Action, OrderWithHistory, ServiceError } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { Field } from "./parts/forms.tsx";
import { useSession } from "./parts/session.ts";
import { Failure } from "./parts/ui.tsx";
import { failureOf } from "./parts/use-call.ts";
import { Changes, WriteButton } from "./parts/write-dialog.tsx";

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
      <ul class="actions">
        {order.actions.map((action) => (
          <li key={action.action}>
            <OrderAction {...{ action, order, reload }} />
          </li>
        ))}
      </ul>
      {mayWrite && isSandbox && <Warehouse {...{ order, reload }} />}
    </>
  );
}

function OrderAction({ action, order, reload }: ActionsProps & { readonly action: Action }) {
  const { mayWrite } = useSession();
  const name = names[action.action] ?? action.action;
  if (!action.allowed)
    return (
      <>
        <span class="refused">{name}</span> <small class="faint">{action.reason}</small>
      </>
    );
  if (!mayWrite) return <span>{name}</span>;
  if (action.action === "cancelOrder") return <Cancel {...{ order, reload }} />;
  if (action.action === "setSubStatus") return <SetSubStatus {...{ order, reload }} />;
  // The console has no form for the others. The screen of requests would fill in another order's example.
  return (
    <>
      {name}{" "}
      <small class="faint">
        by {action.method} {action.path}
      </small>
    </>
  );
}

/** The order must be as it was seen. */
const params = (order: OrderWithHistory, dry_run: boolean) => ({
  query: { dry_run },
  header: { "If-Match": `"${order.version}"` },
});

function Cancel({ order, reload }: ActionsProps) {
  const { client } = useSession();
  const { order_id } = order;
  return (
    <WriteButton
      label="Cancel order"
      title={`Cancel order ${order.order_number}`}
      verb="Cancel the order"
      send={(dryRun) => client.POST("/orders/cancel", { params: params(order, dryRun), body: { order_id } })}
      preview={({ data }) => <Changes from={order} to={data} />}
      onDone={reload}
    />
  );
}

function SetSubStatus({ order, reload }: ActionsProps) {
  const { client } = useSession();
  const { order_id } = order;
  return (
    <WriteButton
      label="Set sub-status"
      title={`Set the sub-status of ${order.order_number}`}
      verb="Set it"
      send={(dryRun, { sub_status = "" }) =>
        client.POST("/orders/sub_status", { params: params(order, dryRun), body: { order_id, sub_status } })
      }
      preview={({ data }) => <Changes from={order} to={data} />}
      onDone={reload}
    >
      <Field
        label="Sub-status"
        name="sub_status"
        value={order.sub_status ?? ""}
        required
        maxLength={64}
        hint="Your own word for where the order stands"
      />
    </WriteButton>
  );
}

const stages = [
  ["picked", "Pick"],
  ["shipped", "Ship"],
  ["returned", "Return"],
] as const;

/** Plays the warehouse of a sandbox, which has no dry run. */
function Warehouse({ order, reload }: ActionsProps) {
  const { client } = useSession();
  const [state, setState] = useState<"busy" | ServiceError>();
  const play = async (to: "picked" | "shipped" | "returned"): Promise<void> => {
    setState("busy");
    try {
      await client.POST("/simulations", { body: { order_id: order.order_id, to } });
      setState(undefined);
      reload();
    } catch (error) {
      setState(failureOf(error));
    }
  };
  return (
    <>
      <h2>Play the warehouse</h2>
      <div class="row">
        {stages.map(([to, name]) => (
          <button type="button" key={to} disabled={state === "busy"} onClick={() => play(to)}>
            {name}
          </button>
        ))}
      </div>
      {state !== undefined && state !== "busy" && <Failure of={state} />}
    </>
  );
}
