/**
 * Data of each release, frozen when it was the newest, are upgraded to this one: the API answers what it
 * answered then.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kindOf, storedKinds } from "../../../../infra/data-model/kinds.ts";
import { laterIndexes } from "../../../../infra/data-model/later-indexes.ts";
import { recordDeployment } from "../../../../infra/data-model/record-deployment.ts";
import { migrate } from "../../../../infra/operator/migrate.ts";
import type { Finding } from "../../../../infra/operator/verify/index.ts";
import { verify } from "../../../../infra/operator/verify/index.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { layouts } from "../../../../shared/runtime/data-layouts.ts";
import { acceptedBy } from "../../../../shared/store/layouts/deployment.ts";
import { type Answered, answersIn, answersOf, contentsIn, releases } from "../../../releases/snapshot.ts";
import { putContents } from "../../../support/records/demo-data.ts";
import { deployedBy, serviceOf, storeOf } from "../../../support/runtime/service.ts";
import { takeRuntime } from "../../../support/runtime/worker-runtime.ts";

/** Kinds of which a snapshot has no item, and why. */
const missing: readonly { readonly names: RegExp; readonly reason: string }[] = [
  {
    names: /^(?:progress|plan) of a saga$/,
    reason: "They are there while a large record is being stored, and no longer.",
  },
  { names: /^shard of stock$/, reason: "It takes collisions of many orders of one product." },
  { names: /^roll-up node below another of list /, reason: "It takes 41 filled blocks of a list." },
  { names: /^what a probe of permissions wrote$/, reason: "A probe removes what it wrote." },
  {
    names: /^progress of rolling up list /,
    reason: "Counters are rolled up once a list has gathered many of them.",
  },
];

const byCall = (answers: readonly Answered[]) =>
  answers.toSorted((one, other) => (one.call < other.call ? -1 : 1));

describe.each(releases())("data of release %s", (release) => {
  let runtime: Awaited<ReturnType<typeof takeRuntime>>;
  beforeAll(async () => {
    runtime = await takeRuntime();
    await putContents(runtime, contentsIn(release));
    const { db } = serviceOf(deployedBy(runtime));
    const indexes = laterIndexes.map(({ name }) => name);
    await recordDeployment(db, { release: packageJson.version, indexes, ...acceptedBy(layouts) });
    await migrate({ db, settleMs: 0, note: () => undefined, onPage: () => undefined });
  });
  afterAll(() => runtime.stop());

  test("are answered as they were, once they are upgraded", async () => {
    const service = serviceOf(deployedBy(runtime));

    const answers = await answersOf({ ...service, ...storeOf(service, 100, "demo-oms-key-100") });

    expect(byCall(answers)).toEqual(byCall(answersIn(release)));
  });

  test("pass verification, once they are upgraded", async () => {
    const { db } = serviceOf(deployedBy(runtime));
    const findings: Finding[] = [];

    await verify({ db, accountId: undefined, report: (one) => void findings.push(one) });

    expect(findings).toEqual([]);
  });
});

const isFrozen = releases().includes(packageJson.version);

test.runIf(isFrozen)("the snapshot of this release holds an item of every kind that it stores", () => {
  const found = new Set(
    contentsIn(packageJson.version).flatMap(({ table, items }) =>
      items.map(({ pk, sk }) => kindOf(table, { pk: String(pk), sk: String(sk) })?.name),
    ),
  );

  const lost = storedKinds.map(({ name }) => name).filter((name) => !found.has(name));
  expect(found.has(undefined)).toBe(false);
  expect(lost.filter((name) => !missing.some(({ names }) => names.test(name)))).toEqual([]);
});
