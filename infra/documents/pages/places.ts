/** Where the pages of each document are served, and what they all load. */
import type { DocumentName } from "../../../shared/lambda/contract.ts";
import { asset, type File } from "./assets.ts";

/** The folder of the function that serves the files that all pages load. */
export const shared = "/apirest/v4/oms/docs";

interface Place {
  /** The path of the first page; the others are below it. */
  readonly base: string;
  readonly documentUrl: string;
  /** The console, if it sends the calls of this document. */
  readonly consoleUrl?: string;
  /** Where the form to sign out is sent, if the pages need a sign-in. */
  readonly signOut?: string;
}

const consoleUrl = "/apirest/v4/oms/console";

const places: Readonly<Partial<Record<DocumentName, Place>>> = {
  oms: { base: shared, documentUrl: "/apirest/v4/oms/openapi.json", consoleUrl },
  wms: {
    base: "/apirest/v4/wms/docs",
    documentUrl: "/apirest/v4/wms/openapi.json",
    signOut: "/apirest/v4/wms/docs/sign-out",
  },
  all: { base: "/apirest/v4/oms/internal/docs", documentUrl: "/apirest/v4/oms/internal/openapi.json" },
};

/** Where a document's pages are. @throws Error for v2, whose guide is among the pages of the OMS */
export function placeOf(name: DocumentName): Place {
  const place = places[name];
  if (place === undefined) throw new Error(`the document ${name} has no pages`);
  return place;
}

let made: Promise<readonly File[]> | undefined;

/** The style and the script of all pages, made once. */
export function sharedAssets(): Promise<readonly File[]> {
  made ??= Promise.all([
    asset("pages.css", "infra/documents/pages/pages.css"),
    asset("pages.js", "infra/documents/pages/browser/main.ts"),
  ]);
  return made;
}
