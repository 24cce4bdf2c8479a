/**
 * Every route that is served, as `GET /orders/{order}`. The fallback can't import the contracts of all
 * functions, so the bundler fills the list in (`infra/bundle/bundle.ts`).
 */
export const servedRoutes: readonly string[] = [];
