/**
 * Everything that can be called from outside, and every job: each file below this folder is one function. A
 * file exports the function's contract, made by `defineEndpoint`, `defineWorker` and the like, and its Lambda
 * entry point, `handler`. Routes, roles, bundles, documents and tests derive from the contracts.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionContract } from "../shared/runtime/contract.ts";

const contractTypes: Readonly<Record<FunctionContract["type"], true>> = {
  endpoint: true,
  page: true,
  "health-check": true,
  fallback: true,
  worker: true,
  schedule: true,
  stream: true,
  diagnostic: true,
};

const isContract = (value: unknown): value is FunctionContract =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  Object.hasOwn(contractTypes, String(value.type));

const keys = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["index.ts"] })
  .map((path) => path.slice(0, -".ts".length))
  .toSorted();

async function contractOf(key: string): Promise<FunctionContract> {
  const exports: object = await import(pathToFileURL(join(import.meta.dirname, `${key}.ts`)).href);
  const contract = Object.values(exports).find(isContract);
  if (contract === undefined || !("handler" in exports))
    throw new Error(`functions/${key}.ts exports no contract or no handler.`);
  return contract;
}

/** Contracts by their file's path below this folder, without `.ts`: `oms/orders/get-order`. */
export const functions: Readonly<Record<string, FunctionContract>> = Object.fromEntries(
  await Promise.all(keys.map(async (key) => [key, await contractOf(key)] as const)),
);
