import { expect, test } from "vitest";
import { readAccepted } from "../../../shared/registries/registry-repository.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";

test("registries are read only if something is unknown", async () => {
  // A connection to no table: every read of it fails.
  const db = connect({});

  await expect(readAccepted(db, 100, ["supplier"])).rejects.toThrow("access does not state");
  expect((await readAccepted(db, 100, []))("supplier")).toEqual([]);
});
