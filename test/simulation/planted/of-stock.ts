/** Faults in stock, bins, recounts and put-away. */
import type { PlantedFault } from "./index.ts";

const bins = "shared/stock/bins/bin-repository.ts";

export const ofStock: readonly PlantedFault[] = [
  {
    name: "a change of stock without its movement",
    edits: [
      {
        file: "shared/stock/stock-repository.ts",
        find: "add, shard }, insertMovement(change, cause)];",
        replace: "add, shard }];",
      },
    ],
  },
  {
    name: "a reservation without the condition that enough is left",
    edits: [
      {
        file: "shared/stock/supply.ts",
        find: "when: [...when, ...bounds]",
        replace: "when",
      },
    ],
  },
  {
    name: "a hold whose units are taken twice",
    edits: [
      {
        file: "shared/stock/holds/hold-repository.ts",
        find: 'const when = [{ attribute: "quantity", equals: held.quantity }] as const;',
        replace: "const when = [];",
      },
    ],
  },
  {
    name: "a hold that still counts after its time",
    edits: [
      {
        file: "shared/stock/supply.ts",
        find: "const ended = await endedHoldsOf(db, levels);",
        replace: "const ended = (await endedHoldsOf(db, levels)).slice(0, 0);",
      },
    ],
  },
  {
    name: "a hold that ends and keeps its units",
    edits: [
      {
        file: "shared/stock/holds/hold-repository.ts",
        find: "  ...changeHeldStock(entriesOf(partsOfHold(held, -held.quantity, why))),\n",
        replace: "",
      },
    ],
  },
  {
    name: "a hold that nothing releases",
    edits: [
      {
        file: "functions/jobs/sweep-jobs.ts",
        find: "const holds = releaseDueHolds(db, now, () => remaining() >= minRemainingMs);",
        replace: "const holds = Promise.resolve({});",
      },
    ],
  },
  {
    name: "a dry run that stores",
    edits: [
      {
        file: "shared/store/dynamodb/transact.ts",
        find: "if (isDry) TransactItems.push(neverHolds(db, first));",
        replace: "",
      },
    ],
  },
  {
    name: "a bin that is changed without the condition of what it holds",
    edits: [
      {
        file: bins,
        find: '      { attribute: "quantity", atLeast: Math.max(unitsIn(after.layers) - by, 0) },\n',
        replace: "",
      },
    ],
  },
  {
    name: "lots of a bin that are replaced without their version",
    edits: [{ file: bins, find: '      still("layer_version", found.layer_version),\n', replace: "" }],
  },
  {
    name: "a recount that is decided on a quantity that has changed",
    edits: [
      {
        file: bins,
        find: 'when: [still("expected", found.expected), still("accepted", found.accepted)],',
        replace: "when: [],",
      },
    ],
  },
  {
    name: "a recount that is accepted without its bin",
    edits: [
      {
        file: "shared/stock/recount/accept-recount.ts",
        find: "return [...records.slice(0, 1), expectCorrections(found, jobs), ...records.slice(1)];",
        replace: "return records;",
      },
    ],
  },
  {
    name: "a recount that changes its bin and not the stock",
    edits: [
      {
        file: "functions/jobs/apply-recount.ts",
        find: "      ...moveStock(payload, difference, cause, isStocked),\n",
        replace: "",
      },
    ],
  },
  {
    name: "goods that arrive in a bin and do not leave the other",
    edits: [
      {
        file: "shared/stock/bins/move-goods.ts",
        find: "      ...changeBin(inBin(from.bin), source, left, now),\n",
        replace: "",
      },
    ],
  },
  {
    name: "a put-away that leaves its goods incoming",
    edits: [
      {
        file: "shared/inbound/put-away.ts",
        find: "[...writes, changeIncoming(productId, distribution_center_id, -units, at)]",
        replace: "writes",
      },
    ],
  },
  {
    name: "a put-away that its record does not note",
    edits: [
      {
        file: "shared/inbound/put-away.ts",
        find: "    const stored = [\n      ...writes,\n",
        replace: "    const stored = [\n",
      },
    ],
  },
];
