/** The files beside a page's code, which `shared/http/pages/files.ts` reads. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PageContract, PagePart } from "../../../shared/lambda/contract.ts";
import { documentOf } from "../openapi/document.ts";
import { type File, textFile } from "./assets.ts";
import { referencePage, signInPage } from "./html.ts";
import { viewerFiles } from "./viewer.ts";

const partsOf: Readonly<Record<PagePart, (contract: PageContract) => Promise<readonly File[]>>> = {
  reference: async ({ document }) => [textFile("reference.html", await referencePage(document))],
  "sign-in": async ({ document }) => [textFile("sign-in.html", await signInPage(document))],
  viewer: async () => Object.values(await viewerFiles()),
};

/** A page's files: its document, and what its parts consist of. */
async function filesOf(contract: PageContract): Promise<readonly File[]> {
  const parts = await Promise.all(contract.parts.map((part) => partsOf[part](contract)));
  return [textFile("openapi.json", JSON.stringify(documentOf(contract.document))), ...parts.flat()];
}

/**
 * Writes the files of a page into a folder, compressed. gzip stores no time, so the same files give the same
 * bytes.
 */
export async function writeFiles(contract: PageContract, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of await filesOf(contract))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}
