import type { Layer } from "./layers.ts";
import type { Product } from "./product.ts";

/** The layers of a bin in the order in which a product of this pick style is taken from them: the oldest first. */
export const inPickOrder = (layers: readonly Layer[], _pickStyle: Product["pick_style"]): Layer[] =>
  layers.toSorted((left, right) => (left.received_on < right.received_on ? -1 : 1));
