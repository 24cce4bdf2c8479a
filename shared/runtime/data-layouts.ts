import type { Layouts } from "../store/layouts/layouts.ts";

/**
 * The layouts of this release's data. A release that changes the form of stored items raises `current`, and
 * states each kind with its `change`; the release after it drops the `change`. docs/developers.md, Changing
 * what is stored.
 */
export const layouts: Layouts = { current: 1, later: [] };
