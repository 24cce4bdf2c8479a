import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordKey } from "../../../shared/store/lists/block-list.ts";
import {
  type BlockList,
  manufactureList,
  replenishmentList,
  returnList,
} from "../../../shared/store/lists/definitions.ts";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/client.ts";
import { type OwnService, startService } from "../../support/own-service.ts";

let service: OwnService;
/** Account 101, which looks at what is account 100's. */
let stranger: Client;
beforeAll(async () => {
  service = await startService();
  stranger = service.omsOf(101);
  for (const list of [replenishmentList, returnList, manufactureList]) await seed(list, 1000);
});
afterAll(() => service.runtime.stop());

/** Account 100's record of a list, with nothing but what makes it account 100's. */
async function seed(list: BlockList, id: number): Promise<void> {
  const { client, tableName } = service.db;
  const Item = { ...recordKey(list, id), account_id: 100 };
  await client.send(new PutCommand({ TableName: tableName(list.table), Item }));
}

const data = (value: string) => [{ attribute: "color", value }];
const remove = (caller: Client, path: string) => caller.send("DELETE", `${path}?attribute=color`, undefined);
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe("attributes of another account's records", () => {
  test.each(["order", "product", "replenishment", "return", "manufacture"])(
    "can neither be read nor changed: %s",
    async (type) => {
      const path = `/attributes/${type}/1000`;
      const created = await service.oms.post(path, { data: data("red") });
      const before = await service.oms.get(path);

      const answers = [
        await stranger.get(path),
        await stranger.post(path, { data: [{ attribute: "new", value: "stolen" }] }),
        await stranger.patch(path, { data: data("stolen") }),
        await remove(stranger, path),
      ];
      const after = await service.oms.get(path);

      expect(created.status).toBe(200);
      expect(statusesOf(answers)).toEqual([404, 404, 404, 404]);
      for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/red|color|account/);
      expect(after.body).toEqual(before.body);
      expect(numberAt(after.body, "metadata.total_records")).toBe(1);
    },
  );

  test("read as those of a record that does not exist", async () => {
    const foreign = await stranger.get("/attributes/order/1000");
    const missing = await stranger.get("/attributes/order/999999999");

    const shape = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replace(id, "?")];
    expect(shape(foreign, "1000")).toEqual(shape(missing, "999999999"));
  });
});

test("of a distribution center, which is everyone's, each account has its own attributes", async () => {
  const path = "/attributes/distribution_center/1";
  const valuesOf = async (owner: Client) =>
    listAt((await owner.get(path)).body, "data").map((record) => at(record, "value"));
  await service.oms.post(path, { data: data("ours") });

  const unseen = await valuesOf(stranger);
  const untouched = [await stranger.patch(path, { data: data("stolen") }), await remove(stranger, path)];
  const created = await stranger.post(path, { data: data("theirs") });
  const both = [await valuesOf(service.oms), await valuesOf(stranger)];
  await remove(stranger, path);

  expect(unseen).toEqual([]);
  expect(statusesOf(untouched)).toEqual([404, 404]);
  expect(created.status).toBe(200);
  expect(both).toEqual([["ours"], ["theirs"]]);
  expect([await valuesOf(service.oms), await valuesOf(stranger)]).toEqual([["ours"], []]);
});
