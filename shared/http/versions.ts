/** Versions of records in headers (docs/decisions.md, Versions). */
import * as z from "zod/mini";
import { invalidAt } from "../common/problem.ts";
import type { EndpointContract } from "../runtime/contract.ts";

/**
 * The version in `If-Match`; undefined without one, for `*`, and in a call that only reads.
 * @throws Problem `invalid`, also if the call compares no version: its caller would rely on a check that is
 * not made
 */
export function versionIn(
  header: string | undefined,
  { method, writes, takesVersion = false }: Pick<EndpointContract, "method" | "writes" | "takesVersion">,
): number | undefined {
  if (header === undefined || header.trim() === "*" || method === "GET" || !writes) return undefined;
  const version = /^"([1-9]\d{0,11})"$/.exec(header.trim())?.[1];
  if (takesVersion && version !== undefined) return Number(version);
  const message = takesVersion
    ? 'must be the ETag of the record, such as "7"'
    : "is not for this call, which compares no version";
  throw invalidAt([{ path: "If-Match", message }]);
}

/** Whether an endpoint reads one record that has a version. */
export function readsVersion({ method, response }: Pick<EndpointContract, "method" | "response">): boolean {
  if (method !== "GET" || !(response instanceof z.ZodMiniObject)) return false;
  const data = response.shape["data"];
  const shown = data instanceof z.ZodMiniPipe ? data._zod.def.out : data;
  return shown instanceof z.ZodMiniObject && "version" in shown.shape;
}

const versioned = z.object({ data: z.object({ version: z.int() }) });

/** The headers of such an endpoint's answer: the version of the record as its ETag. */
export function etagOf(endpoint: EndpointContract, answer: object): Readonly<Record<string, string>> {
  if (!readsVersion(endpoint)) return {};
  return { etag: `"${z.parse(versioned, answer).data.version}"` };
}
