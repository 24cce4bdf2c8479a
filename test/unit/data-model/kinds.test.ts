import { describe, expect, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { accessOf } from "../../../infra/access.ts";
import { kindOf, partitionOf, storedKinds } from "../../../infra/data-model/kinds.ts";
import { lists } from "../../../infra/data-model/lists.ts";
import { jobList } from "../../../shared/jobs/job-repository.ts";
import { everyKind } from "../../../shared/store/access.ts";
import { permitsOf } from "../../../shared/store/permits.ts";

describe("the kinds of stored items", () => {
  test("have unique names", () => {
    const names = storedKinds.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  test("include the progress of rolling up every list, and the ids of jobs", () => {
    const owners = [...lists.values(), { list: jobList }].map(({ list: { name } }) => `${name}s-of#100`);

    expect(owners.filter((pk) => kindOf("tallies", { pk, sk: "folds" }) === undefined)).toEqual([]);
  });

  test("include every key that a function's access names", () => {
    const stated = Object.values(functions).flatMap((contract) =>
      permitsOf(accessOf(contract)).flatMap(({ table, index, kinds }) =>
        index === undefined
          ? [...kinds.keys()].filter((kind) => kind !== everyKind).map((kind) => ({ table, kind }))
          : [],
      ),
    );

    const lost = stated.filter(
      ({ table, kind }) =>
        !storedKinds.some((one) => one.table === table && one.partition === partitionOf({ pk: kind })),
    );
    expect(stated.length).toBeGreaterThan(100);
    expect(lost).toEqual([]);
  });

  test("distinguish items of one partition by their sort keys", () => {
    const stock = { pk: "stock#3", sk: "000000001200#000000000001" };

    expect(kindOf("inventory", stock)?.name).toBe("stock");
    expect(kindOf("inventory", { ...stock, sk: `${stock.sk}#slot#3` })?.name).toBe("shard of stock");
  });

  test("do not include serials in the table of releases before 1.0.0", () => {
    const key = { pk: "serial#1200", sk: "03#S-1" };

    expect(kindOf("inventory", key)).toBeUndefined();
    expect(kindOf("directory", key)?.name).toBe("serial");
  });
});
