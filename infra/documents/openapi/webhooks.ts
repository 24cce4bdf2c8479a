/** What the service posts to the receivers of webhooks, by event type. */
import { eventKinds } from "../../../shared/publishing/event-kinds.ts";
import { testEventRecord } from "../../../shared/publishing/event-view.ts";
import { eventComponent } from "./components.ts";
import { events } from "./examples/events.ts";
import { content, type Operation, type Parameter } from "./operation.ts";
import { type Definitions, differing, exampleOf, referenceTo } from "./schemas.ts";

export const webhooksTag = "What webhooks send";

const header = (name: string, description: string, type: "string" | "integer" = "string"): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type },
});

/** The headers of Standard Webhooks (docs/decisions.md, Deliveries). */
const headers = [
  header("webhook-id", "Id of the event, the same however often the event is sent."),
  header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "integer"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them, with a space between, for 24 hours after the secret was rotated.",
  ),
];

const responses = {
  "2XX": { description: "The receiver accepted the event. The body of its response is ignored." },
  410: { description: "The receiver wants no more events: the webhook is disabled." },
  default: { description: "The event is sent again, for 72 hours. Redirects are not followed." },
};

/** What a receiver serves, for each type of event and for the test of a webhook. */
export function webhooksOf(definitions: Definitions): Record<string, Record<string, Operation>> {
  const sent = eventKinds.flatMap(({ types }) =>
    Object.entries(types).map(([type, says]) => {
      const [word = type] = type.split(".");
      const schema = referenceTo(eventComponent(word));
      const isFirst = type.endsWith(".created");
      const stated = { type, ...(isFirst && { previous: null }), ...events[type] };
      const example = differing(exampleOf(schema, "output", definitions), stated);
      return [type, operationOf(type, says, content(schema, example))];
    }),
  );
  const schema = definitions.convert(testEventRecord, "output", "Event");
  const test = content(schema, exampleOf(schema, "output", definitions));
  return Object.fromEntries([
    ...sent,
    ["webhook.test", operationOf("webhook.test", "The account asked for a test of its webhook.", test)],
  ]);
}

const operationOf = (
  type: string,
  says: string,
  sent: ReturnType<typeof content>,
): Record<string, Operation> => ({
  post: {
    operationId: `on ${type}`.replaceAll(/[ ._]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    summary: type,
    description: says,
    tags: [webhooksTag],
    security: [],
    parameters: headers,
    requestBody: { required: true, content: sent },
    responses,
  },
});
