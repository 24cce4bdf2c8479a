/** The files beside a page's code, which `shared/http/pages/files.ts` reads. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DocumentName, PageContract, PagePart } from "../../../shared/runtime/contract.ts";
import { consoleFiles } from "../console/files.ts";
import { documentOf } from "../openapi/document.ts";
import { type File, textFile } from "./assets.ts";
import { sharedAssets } from "./places.ts";
import { referenceFiles } from "./reference.ts";
import { signInPage } from "./sign-in.ts";

const partsOf: Readonly<Record<PagePart, (document: DocumentName) => Promise<readonly File[]>>> = {
  reference: referenceFiles,
  "sign-in": async (document) => [textFile("sign-in.html", await signInPage(document))],
  assets: sharedAssets,
  console: consoleFiles,
};

/** A page's files: its document, and the files of its parts. */
async function filesOf({ document, parts }: PageContract): Promise<readonly File[]> {
  const files = await Promise.all(parts.map((part) => partsOf[part](document)));
  return [textFile("openapi.json", JSON.stringify(documentOf(document))), ...files.flat()];
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
