import { expect, test } from "vitest";
import * as z from "zod";
import { jobLookup } from "../../../../shared/jobs/job-repository.ts";
import { getItems } from "../../../../shared/store/dynamodb/reads.ts";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import { binsHold } from "../../../support/business/stored.ts";
import { binNamed, newProducts } from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { operations, pick, randomFrom, whole } from "../../../support/http/random.ts";
import { recountOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { sendMessages, takeMessages } from "../../../support/store/jobs.ts";

const service = await ownService({ instancesPerFunction: 4 });

const [clients, callsOfBurst, burstsOfRound] = [8, 5, operations(5, 8)];
const bins = ["A1/01", "A1/02", "A2/03", "B1/03"];

type Change = { readonly qty: number } | { readonly qty_in_bin: number };

/** One call of a burst: changes of the burst's one bin. */
interface Call {
  readonly sku: string;
  readonly bin: string;
  readonly changes: readonly Change[];
}

const changeOf = (random: () => number): Change =>
  random() < 0.3 ? { qty_in_bin: whole(random, 0, 40) } : { qty: whole(random, -4, 6) };

const accepted = z.object({
  result: z.array(z.object({ correction_id: z.int(), new_quantity: z.int() })),
});
const refused = z.object({ result: z.array(z.object({ message: z.string() })).min(1) });

/** A correction that was accepted, and what the call was told. */
interface Told {
  readonly id: number;
  readonly change: Change;
  readonly new_quantity: number;
}

/** Sends a call until the service is not too busy for it. */
async function send({ sku, bin, changes }: Call): Promise<readonly Told[]> {
  const body = recountOf(
    sku,
    changes.map((change) => ({ ...binNamed(bin), ...change })),
  );
  const answer = await service.wms.post("/recount", body);
  if (answer.status === 429) return send({ sku, bin, changes });
  if (answer.status === 400) {
    for (const { message } of refused.parse(answer.body).result)
      expect(message).toMatch(
        /^quantity not valid: the bin will hold \d+, so a change by -\d+ would leave it below/,
      );
    return [];
  }
  const { result } = accepted.parse(answer.body);
  return changes.flatMap((change, position) => {
    const entry = result[position];
    return entry === undefined ? [] : [{ id: entry.correction_id, change, new_quantity: entry.new_quantity }];
  });
}

/** All clients work off the calls; answers what was told of each bin's product. */
async function sendAll(calls: readonly Call[], told: Map<string, Told[]>): Promise<void> {
  const waiting = [...calls];
  const client = async () => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const corrections = await send(call);
      told.set(call.sku, [...(told.get(call.sku) ?? []), ...corrections]);
    }
  };
  await timesAtOnce(service, clients, client);
}

/** Has each message of the queue come two times, in any order. */
async function disorder(random: () => number): Promise<void> {
  const messages = await takeMessages(service.runtime, "recount");
  const twice = [...messages, ...messages].map((message) => ({ message, place: random() }));
  const shuffled = twice.toSorted((left, right) => left.place - right.place);
  await sendMessages(
    service.runtime,
    "recount",
    shuffled.map(({ message }) => message),
  );
}

/** What a bin holds after each of its corrections, where one follows another. */
function replayed(corrections: readonly Told[]): readonly number[] {
  let held = 0;
  return corrections.map(({ change }) => {
    held = "qty" in change ? held + change.qty : change.qty_in_bin;
    return held;
  });
}

const rounds = Math.ceil(operations(5, 1000) / burstsOfRound);

test(`${rounds * burstsOfRound} bursts of corrections from ${clients} clients, delivered twice and out of order, end where a replay by id ends`, {
  timeout: 1_800_000,
}, async () => {
  const random = randomFrom(11);
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const products = await newProducts(service, burstsOfRound);
    const bursts = products.map(({ sku }) => ({ sku, bin: pick(random, bins) }));
    const callsOf = (share: number): readonly Call[] =>
      bursts.flatMap((burst) =>
        Array.from({ length: share }, () => ({
          ...burst,
          changes: Array.from({ length: whole(random, 1, 2) }, () => changeOf(random)),
        })),
      );
    const told = new Map<string, Told[]>();
    // Some are accepted while nothing is applied, the others while the messages of those come.
    await service.runtime.pause();
    await sendAll(callsOf(3), told);
    await disorder(random);
    service.runtime.resume();
    await sendAll(callsOf(callsOfBurst - 3), told);
    await service.runtime.settled();

    const ids = [...told.values()].flat().map(({ id }) => id);
    const find = await getItems(service.db, ids.map(jobLookup));
    for (const { sku, bin } of bursts) {
      const corrections = (told.get(sku) ?? []).toSorted((left, right) => left.id - right.id);
      const model = replayed(corrections);
      count += corrections.length;
      expect(corrections.map(({ new_quantity }) => new_quantity)).toEqual(model);
      expect(corrections.map(({ id }) => find(jobLookup(id))?.["status"])).toEqual(
        model.map(() => "applied"),
      );
      expect(await binsHold(service, sku)).toEqual(model.length === 0 ? [] : [`${bin}: ${model.at(-1)}`]);
    }
    await expectEachBalanced(
      service,
      bursts.map(({ sku }) => sku),
    );
  }
  expect(count).toBeGreaterThan(rounds * burstsOfRound * callsOfBurst * 0.7);
});
