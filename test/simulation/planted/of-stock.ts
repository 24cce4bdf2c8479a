/** Faults in stock, bins, recounts and put-away. */
import type { Faults } from "./index.ts";

const bins = "shared/stock/bins/bin-repository.ts";

export const ofStock: Faults = {
  "a change of stock without its movement": {
    file: "shared/stock/stock-repository.ts",
    find: "add, shard }, insertMovement(change, cause));",
    replace: "add, shard });",
  },
  "a reservation without the condition that enough is left": {
    file: "shared/stock/supply.ts",
    find: "when: [...when, ...bounds]",
    replace: "when",
  },
  "a hold whose units are taken twice": {
    file: "shared/stock/holds/hold-repository.ts",
    find: 'const when = [{ attribute: "quantity", equals: held.quantity }] as const;',
    replace: "const when = [];",
  },
  "a hold that still counts after its time": {
    file: "shared/stock/supply.ts",
    find: "const ended = await endedHoldsOf(db, levels);",
    replace: "const ended = (await endedHoldsOf(db, levels)).slice(0, 0);",
  },
  "a hold that ends and keeps its units": {
    file: "shared/stock/holds/hold-repository.ts",
    find: "  ...changeHeldStock(stockEntriesOf(partsOfHold(held, -held.quantity, why))),\n",
    replace: "",
  },
  "a hold that nothing releases": {
    file: "functions/jobs/sweep-jobs.ts",
    find: "const holds = releaseDueHolds(db, now, () => remaining() >= minRemainingMs);",
    replace: "const holds = Promise.resolve({});",
  },
  "a dry run that stores": {
    file: "shared/store/dynamodb/transact.ts",
    find: "if (model !== undefined) TransactItems.push(neverHolds(db, model));",
    replace: "",
  },
  "a bin that is changed without the condition of what it holds": {
    file: bins,
    find: '      { attribute: "quantity", atLeast: Math.max(unitsIn(after.layers) - added, 0) },\n',
    replace: "",
  },
  "lots of a bin that are replaced without their version": {
    file: bins,
    find: '      still("layer_version", found.layer_version),\n',
    replace: "",
  },
  "a recount that is decided on a quantity that has changed": {
    file: bins,
    find: 'when: [still("expected", found.expected), still("accepted", found.accepted)],',
    replace: "when: [],",
  },
  "a recount that is accepted without its bin": {
    file: "shared/stock/recount/accept-recount.ts",
    find: "[first, expectCorrections(found, jobs), ...others];",
    replace: "[first, ...others];",
  },
  "a recount that changes its bin and not the stock": {
    file: "functions/jobs/apply-recount.ts",
    find: "      ...moveStock(payload, difference, cause, isStocked),\n",
    replace: "",
  },
  "goods that arrive in a bin and do not leave the other": {
    file: "shared/stock/bins/move-goods.ts",
    find: "...changeBin(inBin(from), source, left, now), ",
    replace: "",
  },
  "past stock by totals that are not compared with the stock": {
    file: "shared/stock/past/compared-totals.ts",
    find: 'return (totals[String(record["distribution_center_id"])] ?? noTotals).count - counted;',
    replace: "return 0;",
  },
  "a put-away that leaves its goods incoming": {
    file: "shared/inbound/put-away.ts",
    find: "withEffects(writes, [incoming])",
    replace: "writes",
  },
  "a put-away that its record does not note": {
    file: "shared/inbound/put-away.ts",
    find: "const stored = withEffects(writes, [",
    replace: "const stored = [].concat([",
  },
};
