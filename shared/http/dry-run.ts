/** Calls with `?dry_run=true` (docs/decisions.md, Dry runs). See `shared/store/dynamodb/dry-run.ts`. */
import { invalidAt } from "../common/problem.ts";
import { firstUnassignedId } from "../store/dynamodb/dry-run.ts";
import type { HttpResponse } from "./responses.ts";

export const dryRunParameter = "dry_run";

/** Whether a call is a dry run. @throws Problem `invalid` if the parameter is neither true nor false */
export function isDryRun(query: Readonly<Record<string, string | undefined>>): boolean {
  const sent = query[dryRunParameter]?.trim().toLowerCase();
  if (sent === undefined || sent === "false") return false;
  if (sent === "true") return true;
  throw invalidAt([{ path: dryRunParameter, message: "must be true or false" }]);
}

/** Fields that are generated for the answer and known only to the caller. */
const madeAnew: ReadonlySet<string> = new Set(["delivery_id", "secret"]);

/** Fields that derive from the id of a new order. */
const ofNewOrder: ReadonlySet<string> = new Set(["order_api", "nbtybarcode"]);

/** The id of the event of a test delivery, which is made with the delivery. */
const testEventId = /^evt_test_/;

/** Ids of a call in a message. A call creates at most 100 records. */
const unassignedInText = new RegExp(`${firstUnassignedId / 100}\\d\\d`, "g");

const isUnassigned = (name: string, value: unknown): boolean =>
  name.endsWith("_id") && Number(value) >= firstUnassignedId;

/** A value of the answer, with null for everything that only a stored record has. */
function withoutUnassigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnassigned);
  if (typeof value !== "object" || value === null) return value;
  const isNewOrder = "order_id" in value && isUnassigned("order_id", value.order_id);
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    const isNull = isUnassigned(name, field) || madeAnew.has(name) || (isNewOrder && ofNewOrder.has(name));
    if (isNull || (name === "event_id" && testEventId.test(String(field)))) return [name, null];
    if (name === "message" && typeof field === "string")
      return [name, field.replaceAll(unassignedInText, "null")];
    return [name, withoutUnassigned(field)];
  });
  return Object.fromEntries(fields);
}

/** The response to a dry run, derived from the response that the call would have had. */
export function dryRunAnswer(response: HttpResponse): HttpResponse {
  const body = Object(withoutUnassigned(JSON.parse(response.body ?? "{}")));
  const isSuccess = response.statusCode === 200;
  return { ...response, body: JSON.stringify(isSuccess ? { ...body, [dryRunParameter]: true } : body) };
}
