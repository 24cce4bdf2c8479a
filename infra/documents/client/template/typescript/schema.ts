/**
 * Stands for the types of the interface, which the generator puts here. The project itself is checked without
 * them.
 */
export type paths = Record<never, never>;
export interface webhooks {
  "webhook.test": { post: { requestBody: { content: { "application/json": object } } } };
}
