import type { Exception } from "./permissions.ts";

/** Permissions that a whole run of the tests need not meet, each with the reason why the functions have them. */
export const exceptions: readonly Exception[] = [];
