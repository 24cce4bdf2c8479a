/** Stock of kits: nothing is kept of a kit itself, so there is as much of it as its components allow. */

/** A kit's component where its orders are reserved, in units. */
export interface ComponentStock {
  readonly sku: string;
  /** What one kit takes. */
  readonly quantity: number;
  /** Below zero it is a backorder. */
  readonly available: number;
  /** Code of the distribution center. */
  readonly distribution_center: string;
}

export interface KitStock {
  /** How many can be built now; never less than none. */
  readonly available: number;
  /** SKU of the component that allows no more; of several the first. */
  readonly limited_by: string;
  /** Code of the center that all components are reserved in; null where those are several. */
  readonly distribution_center: string | null;
}

/** Stock of a kit of an account, which is known by its name as a product is by its SKU. */
export interface KitLevel extends KitStock {
  readonly sku: string;
  readonly synset_id: number;
}

/** What a kit's components allow. A kit has at least one. */
export function kitStock(components: readonly ComponentStock[]): KitStock {
  const [first, ...others] = components.map(({ sku, quantity, available }) => ({
    available: Math.floor(Math.max(0, available) / quantity),
    limited_by: sku,
  }));
  if (first === undefined) throw new Error("a kit has no components");
  const least = others.reduce((least, other) => (other.available < least.available ? other : least), first);
  return { ...least, distribution_center: onlyCenter(components) };
}

function onlyCenter(components: readonly ComponentStock[]): string | null {
  const [center, ...others] = new Set(components.map(({ distribution_center }) => distribution_center));
  return center === undefined || others.length > 0 ? null : center;
}
