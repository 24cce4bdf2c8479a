/** Words of webhooks and their deliveries. */
import type { Words } from "./word.ts";

const whichTypes = "Which events: by type, by kind (`order.*`), or all (`*`). All if it is left out.";

export const webhooks = {
  active: ["Whether events are sent. false disables the webhook; true continues where it stopped.", true],
  "replayEvents.after": ["The sequence after which events are sent again; 0 for all that are kept.", 41],
  before: [
    "The `next_before` of the previous response, to continue after it.",
    "dlv_0mabc3xyz000123456789abcdef",
  ],
  cause: ["Why it was made: the event happened, or the account asked for a test or a resend.", "event"],
  delivery_id: ["Id of the delivery.", "dlv_0mabc3xyz000123456789abcdef"],
  disabled_at: ["When the service disabled the webhook (UTC); null if it did not."],
  disabled_reason: [
    "Why the service disabled it: `gone` if the receiver answered 410, `failing` after 72 hours of failures.",
    null,
  ],
  "Delivery.attempts": ["How often it was sent.", 1],
  "Delivery.error": ["Why the last attempt failed; null if it did not.", null],
  "Delivery.status": [
    "Whether it waits for an attempt, was accepted by the receiver, or was given up.",
    "delivered",
  ],
  event_id: ["Id of the event, which the receiver gets as `webhook-id`.", "evt_AbCdEfGhIjKlMnOpQrStUvWx"],
  event_type: ["Type of the event.", "order.created"],
  failing_since: ["Since when every attempt has failed (UTC); null if the last one did not."],
  first_attempt_at: ["When it was sent first (UTC); null until then."],
  handed_over: ["The sequence up to which events were sent, or wait to be sent once more.", 42],
  last_attempt_at: ["When it was sent last (UTC); null until then."],
  last_success_at: ["When the receiver last accepted an event (UTC); null until then."],
  next_attempt_at: ["When it is sent again (UTC); null if it is not.", "2026-01-31T09:30:05.000Z"],
  next_before: ["The `before` of the next call; null if no deliveries follow.", null],
  response_body: ["The first KB of the receiver's last response; null if there was none.", "ok"],
  response_code: ["Status of the receiver's last response; null if there was none.", 200],
  secret: [
    "What the webhook signs with, shown once. null in the response to a retry with the same `Idempotency-Key`: rotate then.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  ],
  "Delivery.sequence": ["Number of the event in the account's feed; 0 for a test.", 42],
  "data.types": [whichTypes],
  "Webhook.types": [whichTypes],
  "WebhookWithSecret.types": [whichTypes],
  "types.items": ["A type of events, `order.*` for those of a kind, `*` for all.", "order.*"],
  url: [
    "Where events are posted to: https, a host that the internet reaches, and port 443 or one from 1024.",
    "https://example.com/webhooks",
  ],
  webhook_id: ["Id of the webhook.", 1],
} as const satisfies Words;
