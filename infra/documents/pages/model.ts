/** The OpenAPI document as the pages read it. */
import type { DocumentName } from "../../../shared/runtime/contract.ts";
import { documentOf } from "../openapi/document.ts";
import type { Operation } from "../openapi/operation.ts";
import { headersOf } from "../openapi/security.ts";

/** A call, or a webhook's post, which has no path. */
export interface Call extends Operation {
  readonly method: string;
  readonly path?: string;
  /** Other paths of the same call. */
  readonly alsoAt: readonly string[];
  /** The headers of its credentials. */
  readonly credentials: readonly string[];
}

/** The calls about one kind of record, shown on one page. */
export interface Group {
  readonly name: string;
  readonly slug: string;
  readonly calls: readonly Call[];
}

export type Reference = ReturnType<typeof referenceOf>;

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The same call at another path. */
const again = /At\d$/;

/** What the pages show of a document, without the answers to dry runs, which only add nulls. */
export function referenceOf(name: DocumentName) {
  const { paths, webhooks = {}, components, info, tags } = documentOf(name, { hasDryRuns: false });
  const all = [...callsIn(paths), ...callsIn(webhooks)];
  const calls = all
    .filter(({ operation }) => !again.test(operation.operationId))
    .map(({ path, method, operation }): Call => {
      const { operationId, security } = operation;
      return {
        ...operation,
        method,
        ...(path.startsWith("/") && { path }),
        alsoAt: all
          .filter((one) => one.operation.operationId.replace(again, "") === operationId && one.path !== path)
          .map((one) => one.path),
        credentials: headersOf(security),
      };
    });
  const groups = tags.map(
    (tag): Group => ({
      name: tag.name,
      slug: slugOf(tag.name),
      calls: calls.filter((call) => call.tags[0] === tag.name),
    }),
  );
  return { title: info.title, version: info.version, groups, records: components.schemas };
}

/** The operations at paths, with their methods in capitals. */
export const callsIn = (paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
