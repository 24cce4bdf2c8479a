import type { Layouts } from "../store/layouts/layouts.ts";

/**
 * The layouts of this release's data. A release that changes the form of stored items increments `current`,
 * and states each kind with its `change`; the next release drops the `change`. See docs/developers.md,
 * Changing what is stored.
 */
export const layouts: Layouts = { current: 1, later: [] };
