/** The event types (docs/decisions.md, Events), apart from records' schemas, which few functions need. */

interface CatalogEntry {
  readonly subject: string;
  readonly types: Readonly<Record<string, string>>;
}

/** The entries, in the order of the documentation. */
export const eventCatalog = {
  order: {
    subject: "order",
    types: {
      "order.created": "An order was placed.",
      "order.updated":
        "An order's own terms changed, such as its items or its customer, or the units returned of it.",
      "order.status_changed": "An order has another status.",
      "order.sub_status_changed": "An order has another sub-status.",
      "order.weighed": "An order was weighed.",
      "order.picked": "Goods were taken out of bins for an order.",
      "order.shipped": "An order was shipped.",
      "order.cancelled": "An order was cancelled.",
    },
  },
  stock: {
    subject: "product",
    types: {
      "stock.changed": "A product's stock in a distribution center changed; `reason` says why.",
    },
  },
  product: {
    subject: "product",
    types: {
      "product.created": "A product was created.",
      "product.updated": "A product was changed.",
    },
  },
  alias: {
    subject: "alias",
    types: {
      "alias.created": "An alias was created.",
      "alias.updated": "An alias was changed.",
    },
  },
  synset: {
    subject: "synset",
    types: {
      "synset.created": "A synset was created.",
      "synset.updated": "A synset was changed.",
    },
  },
  replenishment: {
    subject: "replenishment",
    types: {
      "replenishment.created": "Goods were announced.",
      "replenishment.updated": "A replenishment was changed before its goods were put away.",
      "replenishment.received":
        "Goods of a replenishment were put away; its status says whether all of them are.",
    },
  },
  return: {
    subject: "return",
    types: {
      "return.created": "A return of shipped goods was announced.",
      "return.received": "Goods of a return were put away; its status says whether all of them are.",
    },
  },
  correction: {
    subject: "correction",
    types: {
      "correction.applied": "A correction took effect: the bin holds the corrected quantity.",
      "correction.failed": "A correction failed, and changed nothing; its reason says why.",
    },
  },
  webhook: {
    subject: "webhook",
    types: {
      "webhook.disabled":
        "The service switched a webhook off: its receiver answered 410, or failed for 72 hours.",
    },
  },
} as const satisfies Record<string, CatalogEntry>;

type Catalog = typeof eventCatalog;

export type EventType = { [Kind in keyof Catalog]: keyof Catalog[Kind]["types"] }[keyof Catalog];

const all: readonly CatalogEntry[] = Object.values(eventCatalog);

export const eventTypes: readonly string[] = all.flatMap(({ types }) => Object.keys(types));

const groups = new Set(eventTypes.map((type) => `${type.split(".")[0]}.*`));

/** The filters that clients may use: all events, those of a kind, and single types. */
export const typeFilters: readonly string[] = ["*", ...groups, ...eventTypes];

export const eventSubjects: readonly string[] = [...new Set(all.map(({ subject }) => subject))];
