/** The documents, which calls each describes, and the guide that stands before them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area, DocumentName } from "../../../shared/lambda/contract.ts";
import { eventKinds } from "../../../shared/publishing/event-kinds.ts";

export const documentNames = ["oms", "wms", "v2", "all"] as const satisfies readonly DocumentName[];

type Chapter = "first-order" | "calls" | "jobs" | "events";

interface Described {
  readonly title: string;
  /** What the document is about, in a sentence. */
  readonly description: string;
  readonly areas: readonly Area[];
  readonly guide: readonly Chapter[];
}

/** The types of events, as rows of a table. */
const typesOfEvents = (): string =>
  eventKinds
    .flatMap(({ types }) => Object.entries(types).map(([type, says]) => `| \`${type}\` | ${says} |`))
    .join("\n");

const textOf = (chapter: Chapter): string =>
  readFileSync(join(import.meta.dirname, "guide", `${chapter}.md`), "utf8").replace(
    "{{event types}}",
    typesOfEvents,
  );

/** A document's description: what it is, and then its guide. */
export const descriptionOf = ({ description, guide }: Described): string =>
  [description, ...guide.map(textOf)].map((text) => text.trim()).join("\n\n");

const oms: Described = {
  title: "OMS v4",
  description:
    "Orders, products, stock, aliases, kits, replenishments, returns, serials and attributes of an account.",
  areas: ["oms"],
  guide: ["first-order", "calls", "events"],
};

const wms: Described = {
  title: "WMS v4",
  description: "Recounts, weights, reverted shipments and bins of the warehouse.",
  areas: ["wms"],
  guide: ["calls", "jobs"],
};

const v2: Described = {
  title: "v2, mobile picking and Pro put-away",
  description: "The legacy calls of an account, and those of the mobile and Pro applications.",
  areas: ["v2", "mobile", "sign-in"],
  guide: ["calls"],
};

export const documents: Readonly<Record<DocumentName, Described>> = {
  oms,
  wms,
  v2,
  all: {
    title: "Orders, inventory and warehouse",
    description: "All calls of all areas.",
    areas: [...oms.areas, ...wms.areas, ...v2.areas],
    guide: ["first-order", "calls", "events", "jobs"],
  },
};
