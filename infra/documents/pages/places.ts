/** Where the pages of each document are served, and the files that all of them load. */
import { functions } from "../../../functions/index.ts";
import type { DocumentName } from "../../../shared/runtime/contract.ts";
import { asset, type File } from "./assets.ts";

/** The address of the files that all pages load. */
export const shared = "/apirest/v4/oms/docs";

/**
 * Where a document's pages are.
 * @returns `base`: the path of the first page, below which the others are; `consoleUrl`: the console, if
 * it sends the calls of this document; `signOut`: where the form to sign out is sent, if the pages need a
 * sign-in
 * @throws Error for v2, whose guide is among the pages of the OMS
 */
export function placeOf(name: DocumentName) {
  const paths = Object.values(functions).flatMap((contract) =>
    contract.type === "page" && contract.document === name ? contract.routes.map(({ path }) => path) : [],
  );
  const ending = (end: string) => paths.find((path) => path.endsWith(end));
  const [base, documentUrl] = [ending("/docs"), ending("/openapi.json")];
  if (base === undefined || documentUrl === undefined) throw new Error(`the document ${name} has no pages`);
  return { base, documentUrl, consoleUrl: ending("/console"), signOut: ending("/sign-out") };
}

let made: Promise<readonly File[]> | undefined;

/** The style and the script of all pages, created once. */
export function sharedAssets(): Promise<readonly File[]> {
  made ??= Promise.all([
    asset("pages.css", "infra/documents/pages/pages.css"),
    asset("pages.js", "infra/documents/pages/browser/main.ts"),
  ]);
  return made;
}
