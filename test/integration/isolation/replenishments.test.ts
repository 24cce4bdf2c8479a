import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/client.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { productOf } from "../../support/records.ts";

let service: OwnService;
/** Account 101, which looks at what is account 100's. */
let stranger: Client;
/** Account 100's replenishment, and the stranger's own. */
let theirs: number;
let own: number;

beforeAll(async () => {
  service = await startService();
  stranger = service.omsOf(101);
  await stranger.post("/inventory/products", { data: [productOf({ sku: "SECOND-1" })] });
  theirs = await announced(service.oms, "DEMO-TEE");
  own = await announced(stranger, "SECOND-1");
});
afterAll(() => service.runtime.stop());

async function announced(owner: Client, sku: string): Promise<number> {
  const data = [{ items: [{ sku, quantity: 3 }] }];
  return numberAt((await owner.post("/inventory/replenishments", { data })).body, "data.0.replenishment_id");
}

const stateOf = async (owner: Client) => ({
  replenishments: (await owner.get("/inventory/replenishments")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

/** What `call` answers, where it leaves everything of both accounts as it was. */
async function withoutEffect(call: () => Promise<Answer>): Promise<Answer> {
  const before = [await stateOf(service.oms), await stateOf(stranger)];
  const answer = await call();
  expect([await stateOf(service.oms), await stateOf(stranger)]).toEqual(before);
  return answer;
}

test("another account's replenishment reads like one that does not exist", async () => {
  const foreign = await withoutEffect(() => stranger.get(`/inventory/replenishments/${theirs}`));
  const missing = await stranger.get("/inventory/replenishments/999999999");

  const shape = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replace(id, "?")];
  expect(foreign.status).toBe(404);
  expect(shape(foreign, String(theirs))).toEqual(shape(missing, "999999999"));
});

test("it is in no list of the stranger's, nor in its totals", async () => {
  const { body } = await withoutEffect(() => stranger.get("/inventory/replenishments?per_page=100"));

  expect(listAt(body, "data").map((record) => at(record, "replenishment_id"))).toEqual([own]);
  expect(numberAt(body, "metadata.total_records")).toBe(1);
});

test("it cannot be changed: 404, also among one's own", async () => {
  const answers = [
    await withoutEffect(() =>
      stranger.patch("/inventory/replenishments", {
        data: [{ replenishment_id: theirs, eta: "2026-01-01" }],
      }),
    ),
    await withoutEffect(() =>
      stranger.patch("/inventory/replenishments", {
        data: [
          { replenishment_id: own, eta: "2026-01-01" },
          { replenishment_id: theirs, eta: "2026-01-01" },
        ],
      }),
    ),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test("another account's product can be announced neither anew nor by a change: 400", async () => {
  const items = [{ sku: "DEMO-TEE", quantity: 1 }];
  const answers = [
    await withoutEffect(() => stranger.post("/inventory/replenishments", { data: [{ items }] })),
    await withoutEffect(() =>
      stranger.patch("/inventory/replenishments", { data: [{ replenishment_id: own, items }] }),
    ),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
});
