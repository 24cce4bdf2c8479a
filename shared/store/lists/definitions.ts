import type { JobKind } from "../job-kinds.ts";
import type { TableName } from "../tables.ts";

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
/**
 * Several records an id: a product has one for each bin that holds it or has held it. As they may be many, a block is
 * of fewer products; their number divides that of `productList`, so that a block is one account's.
 */
export const binContentList: BlockList = { table: "inventory", name: "bin-content", blockSize: 100 };

export const aliasList: BlockList = { table: "inventory", name: "alias", blockSize };
export const synsetList: BlockList = { table: "inventory", name: "synset", blockSize };
export const replenishmentList: BlockList = { table: "inventory", name: "replenishment", blockSize };
export const returnList: BlockList = { table: "inventory", name: "return", blockSize };
export const manufactureList: BlockList = { table: "inventory", name: "manufacture", blockSize };
/** Owned by what has the attributes; few, so their blocks are small. */
export const attributeList: BlockList = { table: "inventory", name: "attribute", blockSize: 100 };

/** Who leases the blocks of lists that are kept for the deployment as a whole. */
export const everyone = "*";
/** Jobs of one kind. They are the warehouse's, not an account's: `everyone` leases their ids. */
export const jobList = (kind: JobKind): BlockList => ({ table: "jobs", name: kind, blockSize });
