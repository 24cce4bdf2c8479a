/** The documents, with the calls that each describes and the guides that are served beside it. */
import type { Area, DocumentName } from "../../../shared/runtime/contract.ts";

export const documentNames = ["oms", "wms", "v2", "all"] as const satisfies readonly DocumentName[];

interface Described {
  readonly title: string;
  /** What the document is about, in a sentence. */
  readonly description: string;
  readonly areas: readonly Area[];
  /** The guides of its pages, if any, by their files in `docs/guides`, in the order of the menu. */
  readonly guides: readonly string[];
}

const everyCall = ["requests", "lists", "retries", "errors", "limits"];

const oms: Described = {
  title: "OMS v4",
  description:
    "Orders, products, stock, aliases, kits, replenishments, returns, serials and attributes of an account.",
  areas: ["oms"],
  guides: [
    "quick-start",
    "walkthrough",
    "initial-import",
    "order-sync",
    "stock-sync",
    "reconciliation",
    "event-feed",
    "receive-webhooks",
    "orders-and-stock",
    "legacy",
    ...everyCall,
    "clients",
    "changelog",
  ],
};

const wms: Described = {
  title: "WMS v4",
  description: "Recounts, weights, reverted shipments and bins of the warehouse.",
  areas: ["wms"],
  guides: ["warehouse", ...everyCall, "clients", "changelog"],
};

const v2: Described = {
  title: "v2, mobile picking and Pro put-away",
  description: "The legacy calls of an account, and those of the mobile and Pro applications.",
  areas: ["v2", "sign-in", "mobile"],
  guides: [],
};

export const documents: Readonly<Record<DocumentName, Described>> = {
  oms,
  wms,
  v2,
  all: {
    title: "Orders, inventory and warehouse",
    description: "All calls of all areas.",
    areas: [...oms.areas, ...wms.areas, ...v2.areas],
    guides: [...oms.guides.filter((guide) => guide !== "changelog"), "warehouse", "changelog"],
  },
};
