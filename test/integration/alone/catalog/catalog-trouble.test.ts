import { describe, expect, test } from "vitest";
import { productsAhead } from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";

// As many as the most calls at once.
const service = await ownService({ paused: true, instancesPerFunction: 5 });
const nextProduct = await productsAhead(service, 3);

type Headers = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string>>;

const named = (values: Values) => Object.entries(values).map(([attribute, value]) => ({ attribute, value }));
/** Calls at once meet each other in another way each time. */
const rounds = Array.from({ length: operations(2, 5) }, (_, round) => round + 1);
const transactions = { operation: "TransactWriteItems" } as const;

describe("an owner's attributes", () => {
  const newOwner = () => `/attributes/product/${nextProduct().product_id}`;
  const create = (owner: string, values: Values, headers?: Headers): Promise<Answer> =>
    service.oms.post(owner, { data: named(values) }, headers);
  const remove = (owner: string, name: string): Promise<Answer> =>
    service.oms.send("DELETE", `${owner}?attribute=${name}`, undefined);
  const totalOf = ({ body }: Answer) => numberAt(body, "metadata.total_records");

  test("that several calls delete at once are deleted and counted once", async () => {
    const owner = newOwner();
    await create(owner, { kept: "1" });
    for (let round = 0; round < rounds.length; round += 1) {
      await create(owner, { color: "red" });

      const answers = await timesAtOnce(service, 4, () => remove(owner, "color"));
      const listed = await service.oms.get(owner);

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
      expect(listAt(listed.body, "data")).toMatchObject([{ attribute: "kept", value: "1" }]);
      expect(totalOf(listed)).toBe(1);
    }
  });

  test("survive a deletion whose answer from the database is lost, and are counted once", async () => {
    const owner = newOwner();
    await create(owner, { kept: "1", color: "red" });
    const fault = service.runtime.faults.add({ effect: "lose-response", ...transactions });

    const deleted = await remove(owner, "color");
    const listed = await service.oms.get(owner);

    expect([deleted.status, fault.hits]).toEqual([200, 1]);
    expect(totalOf(listed)).toBe(1);
  });
});

describe("an idempotent creation of serials", () => {
  const create = (data: readonly object[], headers?: Headers): Promise<Answer> =>
    service.oms.post("/serials/bulk", { data }, headers);

  /** A serial's attributes by name; undefined where there is no such serial. */
  async function attributesOf(sku: string, serial: string): Promise<object | undefined> {
    const { status, body } = await service.oms.get(`/serials/${sku}/${serial}`);
    if (status === 404) return undefined;
    return Object.fromEntries(
      listAt(body, "data.attributes").map((entry) => [at(entry, "attribute"), at(entry, "value")]),
    );
  }

  test("that died before its write does not take another's serials for its own", async () => {
    const { sku } = nextProduct();
    const headers = { "Idempotency-Key": unique("serials") };
    const data = [{ sku, serials: ["A", "B"] }];
    service.runtime.faults.add({ effect: "kill-before", ...transactions });

    const died = await create(data, headers);
    await expireKeyLocks(service);
    const others = await create([{ sku, serials: ["A"] }]);
    const retried = await create(data, headers);

    expect([died.status, others.status, retried.status]).toEqual([500, 200, 400]);
    expect(at(retried.body, "response.message")).toBe("data.0.serials.0 already exists (A)");
    expect(await attributesOf(sku, "B")).toBeUndefined();
  });
});
