import type { TableName } from "./tables.ts";

/** One kind of record whose ids come in blocks; see `block-list.ts`. */
export interface BlockList {
  readonly table: TableName;
  /** Names the partitions: `order` gives `order#<block>`. */
  readonly name: string;
  /** Ids a block. */
  readonly blockSize: number;
}

const blockSize = 1000;

export const orderList: BlockList = { table: "orders", name: "order", blockSize };
export const productList: BlockList = { table: "inventory", name: "product", blockSize };
/** Several records an id: a product has one for each distribution center that keeps it. */
export const stockList: BlockList = { table: "inventory", name: "stock", blockSize };

/** Who leases the blocks of lists that are kept for the deployment as a whole. */
export const everyone = "*";
/** Corrections are counted by the warehouse, not by account. */
export const correctionList: BlockList = { table: "jobs", name: "recount", blockSize };
