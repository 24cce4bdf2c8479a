/** A kind of item whose layout changes from 1 to 2: `size` becomes `width` and `height`. For tests alone. */
import type { LaterKind, Layouts } from "../../../shared/store/layouts/layouts.ts";

export const crate: LaterKind = {
  name: "crate",
  table: "inventory",
  partition: "crate",
  layout: 2,
  change: {
    previous: 1,
    from: ["size"],
    upcast: ({ size }) => {
      const [width, height] = String(size ?? "0x0").split("x");
      return { width: Number(width), height: Number(height) };
    },
  },
};

/** The layouts of a release that changes it. */
export const twoLayouts: Layouts = { current: 2, later: [crate] };
