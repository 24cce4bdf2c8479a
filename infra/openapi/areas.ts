/** The documents, and which calls each describes. */
import type { Area } from "../../shared/contract.ts";

export const documentNames = ["oms", "wms", "v2", "all"] as const;
export type DocumentName = (typeof documentNames)[number];

interface Described {
  readonly title: string;
  /** What the document says before all calls, in Markdown. */
  readonly description: string;
  readonly areas: readonly Area[];
}

const oms: Described = {
  title: "OMS v4",
  description:
    "Orders, products, stock, aliases, kits, replenishments, returns, serials and attributes of an account.",
  areas: ["oms"],
};

const wms: Described = {
  title: "WMS v4",
  description: "Recounts, weights, reverted shipments and bins of the warehouse.",
  areas: ["wms"],
};

const v2: Described = {
  title: "v2, mobile picking and Pro put-away",
  description: "The legacy calls of an account, and those of the mobile and Pro applications.",
  areas: ["v2", "mobile", "sign-in"],
};

export const documents: Readonly<Record<DocumentName, Described>> = {
  oms,
  wms,
  v2,
  all: {
    title: "Orders, inventory and warehouse",
    description: "All calls of all areas.",
    areas: [...oms.areas, ...wms.areas, ...v2.areas],
  },
};
