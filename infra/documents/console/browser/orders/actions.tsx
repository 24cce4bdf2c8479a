/** The actions that are possible for an order, and why others are not. */
import type { OrderWithHistory } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { ChangeButton, Changes } from "../parts/change.tsx";
import { Field } from "../parts/forms.tsx";
import { href } from "../parts/route.ts";
import { newKey, useAction, useSigned } from "../parts/service.ts";
import { Button, Failure, type Of } from "../parts/ui.tsx";

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
  const { mayWrite, isSandbox } = useSigned();
  return (
    <>
      <h2>Actions</h2>
      {!mayWrite && <p>This key is read-only.</p>}
      {order.actions.map((of) => (
        <p key={of.action}>
          <Action {...{ order, reload, of }} />
        </p>
      ))}
      {mayWrite && isSandbox && <Warehouse {...{ order, reload }} />}
    </>
  );
}

function Action({ order, reload, of }: ActionsProps & Of<OrderWithHistory["actions"][number]>) {
  const { mayWrite } = useSigned();
  const { order_id, version, sub_status: before } = order;
  const { action, allowed, reason } = of;
  const label = names[action] ?? action;
  if (!allowed) return [label, <small key="reason"> The order {reason}.</small>];
  if (!mayWrite) return label;
  const isCancel = action === "cancelOrder";
  if (!isCancel && action !== "setSubStatus") return <a href={href(["requests", action])}>{label}</a>;
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
        <Field label="Sub-status" name="sub_status" value={before ?? ""} required maxLength={64} />
      )}
    </ChangeButton>
  );
}

const stages = { Pick: "picked", Ship: "shipped", Return: "returned" } as const;

/** Plays the warehouse of a sandbox, which has no dry run. */
function Warehouse({ order: { order_id }, reload }: ActionsProps) {
  const { isBusy, failure, run } = useAction();
  // One key for each button, until its work is done.
  const [key, setKey] = useState(newKey);
  const play = (to: (typeof stages)[keyof typeof stages]) =>
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
        {Object.entries(stages).map(([name, to]) => (
          <Button of={name} key={to} aria-disabled={isBusy} onClick={() => play(to)} />
        ))}
      </div>
      <Failure of={failure} />
    </>
  );
}
