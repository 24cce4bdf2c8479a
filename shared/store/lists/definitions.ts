/**
 * All block lists. The engine knows the kinds of records by these names only: what is in an order or a product, and what
 * may be done with one, stands in `shared/domain` and `shared/data`.
 */
import type { TableName } from "../tables.ts";

/** One kind of record whose ids come in blocks; see `block-list.ts`. */
export interface BlockList {
  readonly table: TableName;
  /** Names the partitions: `order` gives `order#<block>`. */
  readonly name: string;
  /** Ids a block. */
  readonly blockSize: number;
  /** The first id of all; that of block 1 without it. */
  readonly firstId?: number;
  /** The list whose ids the records have. That list's leases are leases of this one, too. */
  readonly ids?: BlockList;
}

/** A list as far as its heads and tallies are concerned: they lie by its name. */
export type Named = Pick<BlockList, "name">;

/**
 * Most ids of a block of any list. To locate a record, all entries of its block may have to be read; half as many would
 * double the nodes.
 */
export const largestBlock = 400;

/** Ids have at least four digits. */
const usual = { blockSize: largestBlock, firstId: 1000 } as const;

export const orderList: BlockList = { table: "orders", name: "order", ...usual };
export const productList: BlockList = { table: "inventory", name: "product", ...usual };
/** Several records an id: a product has one for each distribution center that keeps it. */
export const stockList: BlockList = {
  table: "inventory",
  name: "stock",
  blockSize: largestBlock,
  ids: productList,
};
/**
 * Several records an id: a product has one for each bin that holds it or has held it. They may be many, so a block has
 * fewer products. The number divides that of `productList`: so the products of a block are one account's.
 */
export const binContentList: BlockList = {
  table: "inventory",
  name: "bin-content",
  blockSize: 100,
  ids: productList,
};

/** The blocks of lists that have the ids of `list`, which a block of it brings along. */
export const blocksAlong = (
  list: BlockList,
  block: number,
): readonly { readonly list: BlockList; readonly block: number }[] =>
  [stockList, binContentList]
    .filter(({ ids }) => ids?.name === list.name)
    .flatMap((follower) => {
      const blocks = list.blockSize / follower.blockSize;
      return Array.from({ length: blocks }, (_, next) => ({ list: follower, block: block * blocks + next }));
    });

export const aliasList: BlockList = { table: "inventory", name: "alias", ...usual };
export const synsetList: BlockList = { table: "inventory", name: "synset", ...usual };
export const replenishmentList: BlockList = { table: "inventory", name: "replenishment", ...usual };
export const returnList: BlockList = { table: "inventory", name: "return", ...usual };
export const manufactureList: BlockList = { table: "inventory", name: "manufacture", ...usual };
/** Each owner of attributes has a list. An owner has few, so the blocks are small. */
export const attributeList: BlockList = { table: "inventory", name: "attribute", blockSize: 100 };

/** The owner of lists that belong to the whole deployment. */
export const everyone = "*";
/** Jobs of all kinds. They belong to the warehouse, not to an account: `everyone` leases their ids. */
export const jobList: BlockList = { table: "jobs", name: "job", ...usual };
