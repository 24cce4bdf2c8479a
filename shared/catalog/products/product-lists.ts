import { type BlockList, maxBlockSize, standardBlocks } from "../../store/lists/block-list.ts";

/** Several records per id: a product has one for each distribution center that stocks it. */
export const stockList: BlockList = {
  table: "inventory",
  name: "stock",
  blockSize: maxBlockSize,
  isFollower: true,
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
  isFollower: true,
};

/** The stock records of a product have the product's id (`shared/stock`). */
export const productList: BlockList = {
  table: "inventory",
  name: "product",
  ...standardBlocks,
  followers: [stockList, binContentList],
};
