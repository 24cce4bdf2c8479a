/** The files that lie beside a page's code, as `shared/http/pages/files.ts` reads them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PageContract, PagePart } from "../../../shared/lambda/contract.ts";
import { documentOf } from "../openapi/document.ts";
import { referencePage, signInPage } from "./html.ts";
import { type File, viewerFiles } from "./viewer.ts";

const text = (name: string, content: string): File => ({ name, content: Buffer.from(content) });

const partsOf: Readonly<Record<PagePart, (contract: PageContract) => readonly File[]>> = {
  reference: ({ document }) => [text("reference.html", referencePage(document))],
  "sign-in": ({ document }) => [text("sign-in.html", signInPage(document))],
  viewer: () => Object.values(viewerFiles()),
};

/** A page's files: its document, and what its parts are made of. */
export const filesOf = (contract: PageContract): readonly File[] => [
  text("openapi.json", JSON.stringify(documentOf(contract.document))),
  ...contract.parts.flatMap((part) => partsOf[part](contract)),
];

/** Writes the files of a page into a folder, each compressed. gzip notes no time, so the same files give the same bytes. */
export function writeFiles(contract: PageContract, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of filesOf(contract))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}
