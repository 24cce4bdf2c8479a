/**
 * All block lists; `block-list.ts` explains them. What their records contain is defined by the features that
 * own them.
 */
import type { Database } from "../dynamodb/database.ts";
import type { TableName } from "../tables.ts";

/** One kind of record whose ids are allocated in blocks. */
export interface BlockList {
  readonly table: TableName;
  /** Prefix of the partition keys: `order` gives `order#<block>`. */
  readonly name: string;
  /** Ids in a block. */
  readonly blockSize: number;
  /** The first id; by default the first of block 1. */
  readonly firstId?: number;
  /** The list that allocates the ids of these records. Its leases apply to this list too. */
  readonly ids?: BlockList;
}

/** What identifies the heads and counters of a list. */
export type NamedList = Pick<BlockList, "name">;

/** The counters of one owner's records of a list. */
export interface OwnedCounters {
  readonly db: Database;
  readonly list: NamedList;
  /** Who leases the blocks: the id of an account as text, or another name. */
  readonly owner: string;
}

/** One owner's records of a list, and their counters. */
export interface OwnedList extends OwnedCounters {
  readonly list: BlockList;
}

/**
 * The largest block of any list. Locating a record may read all index entries of its block, and half the size
 * would double the number of nodes.
 */
export const maxBlockSize = 400;

/** Ids have at least four digits. */
const standardBlocks = { blockSize: maxBlockSize, firstId: 1000 } as const;

export const orderList: BlockList = { table: "orders", name: "order", ...standardBlocks };
export const productList: BlockList = { table: "inventory", name: "product", ...standardBlocks };
/** Several records per id: a product has one for each distribution center that stocks it. */
export const stockList: BlockList = {
  table: "inventory",
  name: "stock",
  blockSize: maxBlockSize,
  ids: productList,
};
/**
 * Several records per id: a product has one for each bin that holds or held it. These may be many, so a block
 * has fewer products. The size divides that of `productList`, so all products of a block belong to one
 * account.
 */
export const binContentList: BlockList = {
  table: "inventory",
  name: "bin-content",
  blockSize: 100,
  ids: productList,
};

/** The blocks that are leased with a block of `list`, in the lists that use its ids. */
export const followerBlocks = (
  list: BlockList,
  block: number,
): readonly { readonly list: BlockList; readonly block: number }[] =>
  [stockList, binContentList]
    .filter(({ ids }) => ids?.name === list.name)
    .flatMap((follower) => {
      const blocks = list.blockSize / follower.blockSize;
      return Array.from({ length: blocks }, (_, next) => ({ list: follower, block: block * blocks + next }));
    });

export const aliasList: BlockList = { table: "inventory", name: "alias", ...standardBlocks };
export const synsetList: BlockList = { table: "inventory", name: "synset", ...standardBlocks };
export const replenishmentList: BlockList = { table: "inventory", name: "replenishment", ...standardBlocks };
export const returnList: BlockList = { table: "inventory", name: "return", ...standardBlocks };
export const manufactureList: BlockList = { table: "inventory", name: "manufacture", ...standardBlocks };
/** Each owner of attributes has its own list, with few records, so the blocks are small. */
export const attributeList: BlockList = { table: "inventory", name: "attribute", blockSize: 100 };

/** The owner of lists that belong to the whole deployment. */
export const everyone = "*";
/** Jobs of all kinds. They belong to the warehouse, so `everyone` leases their ids. */
export const jobList: BlockList = { table: "jobs", name: "job", ...standardBlocks };
