/** Changes the product as its modules are loaded. The product itself has no switches. */
import { registerHooks } from "node:module";
import { type Edit, plantedFaults } from "./index.ts";

/**
 * Smaller sizes, so that few records fill blocks and roll up, so that publishers forget, and so that a
 * schedule can have small records stored by sagas (`limitTransactions`).
 */
export const smaller: readonly Edit[] = [
  {
    file: "shared/orders/storage/order-repository.ts",
    find: 'name: "order", ...standardBlocks }',
    replace: 'name: "order", ...standardBlocks, blockSize: 4 }',
  },
  {
    file: "shared/store/lists/counters/roll-up.ts",
    find: "branches: 80, minShards: 16",
    replace: "branches: 4, minShards: 2",
  },
  {
    file: "shared/store/lists/counters/roll-up-transactions.ts",
    find: "const maxWrites = 95;",
    replace: "const maxWrites = 9;",
  },
  {
    file: "shared/store/dynamodb/sharded-counter.ts",
    find: "export const hotKeyAfter = 4;",
    replace: "export const hotKeyAfter = 1;",
  },
  {
    file: "shared/store/dynamodb/transact.ts",
    find: "items.length <= transactionLimit",
    replace: "items.length <= globalThis.transactionItems",
  },
  {
    file: "shared/store/bulk/bulk.ts",
    find: "items.size <= transactionLimit",
    replace: "items.size <= globalThis.transactionItems",
  },
  {
    file: "shared/store/sagas/saga-plan.ts",
    find: "size = maxStepWrites",
    replace: "size = globalThis.transactionItems - 2",
  },
  {
    file: "shared/stock/past/running-totals.ts",
    find: "export const maxWithoutTotals = 8;",
    replace: "export const maxWithoutTotals = 1;",
  },
  {
    file: "shared/publishing/published-changes.ts",
    find: "const firstEntries = 16;",
    replace: "const firstEntries = 2;",
  },
  {
    file: "shared/publishing/feed-memory.ts",
    find: "const firstBatches = 8;",
    replace: "const firstBatches = 1;",
  },
  {
    file: "shared/publishing/newest-first.ts",
    find: "const maxPageSize = 256;",
    replace: "const maxPageSize = 4;",
  },
  {
    file: "shared/publishing/feed-memory.ts",
    find: "const maxBatchesForRecord = 4;",
    replace: "const maxBatchesForRecord = 1;",
  },
  {
    file: "shared/publishing/feed-memory.ts",
    find: "[maxRemembered, maxAccounts] = [20_000, 200]",
    replace: "[maxRemembered, maxAccounts] = [6, 1]",
  },
];

/** Has Zod compile its parsers, as another build of it does: a schedule takes a tenth less time. */
const faster: Edit = {
  file: "zod/v4/mini/schemas.js",
  find: "core.$ZodObject.init(inst, def);",
  replace: "core.$ZodObjectJIT.init(inst, def);",
};

/** Limits the items of a transaction that stores a record. DynamoDB's own limit is 100. */
export const limitTransactions = (transactionItems: number): void =>
  void Object.assign(globalThis, { transactionItems });

/**
 * Makes the sizes smaller, and plants a fault if one is named.
 * @throws if there is no such fault, or when a file is loaded, if a text to replace is not in it once
 */
export function plant(name: string | undefined): void {
  const edits = name === undefined ? [] : plantedFaults.get(name);
  if (edits === undefined) throw new Error(`no planted fault is named ${name}`);
  limitTransactions(100);
  const all = [...smaller, faster, ...edits];
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const own = all.filter(({ file }) => url.endsWith(`/${file}`));
      if (own.length === 0) return loaded;
      const { source } = loaded;
      const text = source instanceof Uint8Array ? Buffer.from(source).toString() : String(source);
      return { ...loaded, source: own.reduce(edited, text) };
    },
  });
}

/** The source with an edit. @throws if the text to replace is not in it exactly once */
export function edited(source: string, { file, find, replace }: Edit): string {
  const [before, after, ...others] = source.split(find);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} does not have this text once: ${find}`);
  return before + replace + after;
}
