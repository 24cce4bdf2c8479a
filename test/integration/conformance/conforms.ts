/** The tests that every kind of record passes. */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { newStore } from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { operations } from "../../support/http/random.ts";
import { expectAsMissing, expectRefusal, expectRefusedAt } from "../../support/http/refused.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import {
  type Account,
  bulk,
  pick,
  type Resource,
  recordsOf,
  type Samples,
  type WrongReference,
} from "./resource.ts";
import {
  clearableFields,
  type Fields,
  fieldNames,
  limitsOf,
  recordSchema,
  requiredFields,
  wrongFields,
} from "./wrong-values.ts";

const times = <T>(count: number, make: (position: number) => T): T[] =>
  Array.from({ length: count }, (_, position) => make(position));

/** Calls hold at most 100 records. */
function* batches<T>(records: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < records.length; start += 100) yield records.slice(start, start + 100);
}

/** Calls at once meet each other in another way each time. */
const rounds = operations(3, 5);

/** The fields of both records; objects in the same field have the fields of both. */
const merged = (one: Fields, other: Fields): Fields => {
  const objects = Object.entries(other).map(([name, value]) => [
    name,
    Array.isArray(value) || typeof value !== "object" ? value : { ...Object(one[name]), ...value },
  ]);
  return { ...one, ...Object.fromEntries(objects) };
};

const totalOf = ({ body }: Answer): number => numberAt(body, "metadata.total_records");

/** Derives the tests of a kind of record from its description. */
export function conforms(resource: Resource): void {
  const { title, answered, id, read, unique: name, change, count = 23 } = resource;
  let service: Service;
  let owner: Account;
  let samples: Samples;
  /** Another account, which has `count` records of its own and nothing that the owner's records refer to. */
  let stranger: Account;
  let strangers: Samples;
  let theirSent: readonly Fields[] = [];
  let theirs: Answer;

  beforeAll(async () => {
    service = await sharedService();
    owner = { ...service, store_id: 2 };
    stranger = { ...(await newStranger(service)), store_id: 3 };
    [samples, strangers] = await Promise.all([resource.prepare(owner), resource.prepare(stranger)]);
    if (answered === undefined) return;
    theirSent = times(count, () => strangers.record());
    theirs = await bulk(stranger.oms, "post", strangers.path, theirSent);
  });

  const create = (...data: readonly unknown[]) => bulk(service.oms, "post", samples.path, data);
  const patch = (...data: readonly unknown[]) => bulk(service.oms, "patch", samples.path, data);
  const list = (query = "", { oms }: Pick<Account, "oms"> = owner, path = samples.list ?? samples.path) =>
    oms.get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
  const get = (identifier: unknown, { oms }: Pick<Account, "oms"> = owner) =>
    oms.get(`${samples.path}/${encodeURIComponent(String(identifier))}`);
  const created = async (...data: readonly Fields[]) => recordsOf(await create(...data));
  const some = (number: number) => created(...times(number, () => samples.record()));

  describe(`the fields of ${title} records`, () => {
    test("have the limits that are described", () => {
      expect(limitsOf(recordSchema(resource.create.request))).toEqual(resource.limits);
    });

    test.runIf(change)("have the same limits in a PATCH, which requires its key alone", () => {
      const optional = Object.entries(resource.limits).map(([path, limit]) => [
        path,
        path.includes("[]") ? limit : limit.replace("required", "optional"),
      ]);
      const expected = { ...Object.fromEntries(optional), ...change?.limits };

      expect(change && limitsOf(recordSchema(change.request))).toEqual(expected);
    });
  });

  if (answered !== undefined) {
    describe(`creating ${title} records`, () => {
      test("answers the whole record, which reads the same", async () => {
        const sent = samples.record();

        const answer = await create(sent);

        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ data: [answered(sent, samples.product)] });
        expect(recordsOf(await list("per_page=1"))).toEqual(recordsOf(answer));
      });

      test("keeps every optional field as it was sent", async () => {
        const sent = samples.record(samples.optional);
        const looksWrong = (samples.accepted ?? []).map(([fields]) => fields);
        const named = [sent, ...looksWrong].flatMap(Object.keys);

        const answer = await create(sent);

        const fields = fieldNames(recordSchema(resource.create.request));
        expect(fields.filter((field) => !named.includes(field))).toEqual([]);
        expect(recordsOf(answer)).toMatchObject([sent]);
        expect(recordsOf(await list("per_page=1"))).toEqual(recordsOf(answer));
      });

      const clearable = clearableFields(recordSchema(resource.create.request));
      test.runIf(clearable.length > 0)("counts null, empty and blank values as not sent", async () => {
        const sent = times(3, () => samples.record());
        const optional = clearable.filter((field) => !(field in (sent[0] ?? {})));
        const blank = [null, "", " "].map((value) =>
          Object.fromEntries(optional.map((field) => [field, value])),
        );

        const answer = await create(...sent.map((record, position) => ({ ...record, ...blank[position] })));

        expect(recordsOf(answer)).toEqual(sent.map((record) => answered(record, samples.product)));
      });

      test("accepts what looks wrong and is not", async ({ skip }) => {
        const { accepted = [] } = samples;
        skip(accepted.length === 0, "the kind has no such values");

        const answer = await create(samples.record(), ...accepted.map(([sent]) => samples.record(sent)));

        expect(recordsOf(answer).slice(1)).toMatchObject(accepted.map(([sent, kept = sent]) => kept));
      });

      test("repeats the first answer for an Idempotency-Key and stores nothing twice", async () => {
        const headers = { "Idempotency-Key": unique("key") };
        const body = { data: [samples.record(), samples.record()] };
        const before = totalOf(await list());

        const first = await service.oms.post(samples.path, body, headers);
        const again = await service.oms.post(samples.path, body, headers);

        expect([first.status, again.status]).toEqual([200, 200]);
        expect(again.body).toEqual(first.body);
        const replayed = [first, again].map(({ headers }) => headers.get("idempotent-replayed"));
        expect(replayed).toEqual([null, "true"]);
        expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
        expect(totalOf(await list())).toBe(before + 2);
      });

      test.runIf(name)("stores a record that two calls create at once exactly once", async () => {
        const counts = () =>
          Promise.all([samples.path, ...(resource.counted ?? [])].map((path) => list("", owner, path)));
        let before = (await counts()).map(totalOf);
        for (let round = 0; round < rounds; round += 1) {
          const sent = samples.record();

          const answers = await timesAtOnce(service, 2, () => create(sent));

          const loser = answers.find(({ status }) => status === 400);
          expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
          expect(at(loser?.body, "response.errors")).toEqual([
            expect.objectContaining({
              path: `data.0.${name?.field}`,
              message: name?.taken(sent),
              code: "already_exists",
            }),
          ]);
          const after = (await counts()).map(totalOf);
          expect(after).toEqual(before.map((total) => total + 1));
          before = after;
        }
      });
    });

    describe(`the list of ${title} records`, () => {
      const theirList = (query: string) => list(query, stranger, strangers.path);

      test("holds the records of one call, numbered in the call's order, newest first", async () => {
        const records = recordsOf(theirs);
        const ids = records.map((record) => Number(record[id ?? ""] ?? 0));

        expect(theirs.status).toBe(200);
        expect(records).toEqual(theirSent.map((sent) => answered(sent, strangers.product)));
        if (id !== undefined) expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
        expect(recordsOf(await theirList("per_page=100"))).toEqual(records.toReversed());
        expect(recordsOf(await theirList(""))).toEqual(records.toReversed().slice(0, 20));
        if (resource.oldestFirst !== undefined)
          expect(recordsOf(await theirList(`per_page=100&${resource.oldestFirst}`))).toEqual(records);
      });

      test("has pages that partition the whole, with exact totals", async () => {
        const total_pages = 4;
        const per_page = Math.ceil(count / 3.5);
        const pages = await Promise.all(
          times(total_pages + 1, (position) => theirList(`per_page=${per_page}&page=${position + 1}`)),
        );

        expect(pages.flatMap(recordsOf)).toEqual(recordsOf(theirs).toReversed());
        for (const [position, { body }] of pages.entries()) {
          const page = position + 1;
          expect(at(body, "metadata")).toEqual({
            page,
            per_page,
            total_records: count,
            total_pages,
            total_current_page: Math.max(0, Math.min(per_page, count - position * per_page)),
          });
          expect(at(body, "pagination")).toEqual({
            current_page: page,
            per_page,
            total: count,
            total_pages,
          });
        }
      });

      test("is empty for an account that has none", async () => {
        const answer = await list("", await newStore(service));

        expect([answer.status, recordsOf(answer), totalOf(answer)]).toEqual([200, [], 0]);
      });
    });
  }

  test.runIf(name)("one name may be used in other letters, and by another account", async () => {
    const field = String(name?.field);
    const text = unique("Name");

    const answers = [
      await create(samples.record({ [field]: text }), samples.record({ [field]: text.toLowerCase() })),
      await bulk(stranger.oms, "post", strangers.path, [strangers.record({ [field]: text })]),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  if (read !== undefined) {
    describe(`reading one ${title}`, () => {
      test(`by ${read.by.join(" and ")} answers the record as it was created`, async () => {
        const [record = {}] = await created(samples.record(samples.optional));

        const answers = await Promise.all(read.by.map((field) => get(record[field])));

        expect(answers.map(({ body }) => body)).toEqual(read.by.map(() => ({ data: record })));
      });

      test.each(["999999999", "0", "-1", "1.0", "1.5", "1e3", "NO-SUCH", "9".repeat(200)])(
        "that does not exist is 404: %s",
        async (identifier) => {
          const answer = await get(identifier);

          expect(answer.status).toBe(404);
          expect(answer.body).toEqual({ response: { success: false, message: read.missing(identifier) } });
        },
      );

      test.runIf(read.named)(
        "finds a name with unusual characters, one that looks like a stored key, and in its own letters alone",
        async () => {
          const field = String(name?.field);
          const keyLike = ["name", "sku", "synset-name", "alias-text"].map(
            (prefix) => `${prefix}#${service.accountId}#DEMO-TEE`,
          );
          const names = ["A B", "Ä&B=#%+", "日本", "'\"<>", ...keyLike, "x".repeat(100), unique("CASE")];
          const records = await created(...names.map((text) => samples.record({ [field]: text })));

          const answers = await Promise.all(names.map((text) => get(text)));

          expect(answers.map(({ body }) => body)).toEqual(records.map((record) => ({ data: record })));
          expect((await get(names.at(-1)?.toLowerCase())).status).toBe(404);
        },
      );
    });
  }

  if (change !== undefined) {
    describe(`changing ${title} records`, () => {
      const [key = []] = change.keys;

      test("is tried with each field that a PATCH takes", () => {
        const tried = [...change.to.flatMap(([fields]) => Object.keys(fields)), ...change.keys.flat()];
        const fields = fieldNames(recordSchema(change.request));

        expect(fields.filter((field) => ![...tried, "version"].includes(field))).toEqual([]);
      });

      test("keeps the fields that are not sent, and reads as it was answered", async () => {
        const full = times(change.to.length, () => samples.record(samples.optional));
        const before = await created(...full);
        const total = totalOf(await list());
        const sent = change.to.map(([fields], position) => ({
          ...pick(before[position] ?? {}, key),
          ...fields,
        }));

        const answer = await patch(...sent);

        expect(answer.status).toBe(200);
        expect(recordsOf(answer)).toEqual(
          before.map((record, position) => {
            const after = { ...record, ...change.to[position]?.[0], ...change.to[position]?.[1] };
            const isSame = isDeepStrictEqual(after, record);
            return { ...after, ...(isSame ? {} : raised(record)), updated_at: expect.any(String) };
          }),
        );
        expect(recordsOf(await list(`per_page=${sent.length}`)).toReversed()).toEqual(recordsOf(answer));
        const last = recordsOf(answer).at(-1) ?? {};
        for (const field of read?.by ?? []) expect((await get(last[field])).body).toEqual({ data: last });
        expect(totalOf(await list())).toBe(total);
      });

      test.each(change.keys.map((fields) => [fields]))(
        "of several found by %j is answered in the call's order",
        async (fields) => {
          const before = (await some(3)).toReversed();
          const [sent, follows] = change.to[0] ?? [{}];

          const answer = await patch(...before.map((record) => ({ ...pick(record, fields), ...sent })));

          expect(recordsOf(answer)).toEqual(
            before.map((record) => ({
              ...record,
              ...sent,
              ...follows,
              ...raised(record),
              updated_at: expect.any(String),
            })),
          );
        },
      );

      test("to the same values, or to nothing, changes nothing", async () => {
        const sent = times(2, () => samples.record(samples.optional));
        const [first = {}, second = {}] = await created(...sent);
        const total = totalOf(await list());

        const answer = await patch({ ...sent[0], ...pick(first, key) }, { ...sent[1], ...pick(second, key) });
        const ofKey =
          requiredFields(recordSchema(change.request)).length > key.length
            ? undefined
            : await patch(pick(first, key), pick(second, key));

        for (const one of [answer, ofKey]) if (one) expect(recordsOf(one)).toEqual([first, second]);
        expect(totalOf(await list())).toBe(total);
      });

      const clearable = clearableFields(recordSchema(resource.create.request));
      test.runIf(clearable.length > 0)("to null clears a field, as if it had never been sent", async () => {
        const [bare = {}, full = {}] = await created(samples.record(), samples.record(samples.optional));

        const answer = await patch({
          ...pick(full, key),
          ...Object.fromEntries(clearable.map((field) => [field, null])),
        });

        const cleared = { ...full, ...pick({ ...bare, ...change.cleared }, clearable) };
        expect(recordsOf(answer)).toEqual([{ ...cleared, ...raised(full), updated_at: answerTime(answer) }]);
      });
    });
  }

  describe(`a wrong ${title} call is rejected and changes nothing`, () => {
    /** Records that PATCH calls name; none of them may change. */
    let existing: readonly Fields[];
    let wrongRecords: readonly WrongReference[];
    const keyOf = (position: number): Fields => pick(existing[position] ?? {}, change?.keys[0] ?? []);
    beforeAll(async () => {
      wrongRecords = [...resource.wrongReferences, ...(samples.wrong ?? [])];
      existing = await some(Math.max(wrongRecords.length, 3));
    });
    /** One wrong reference of each path. */
    const wrongByPath = new Map(resource.wrongReferences.map(([field, path]) => [path, field]));
    const calls = () => [create, ...(change === undefined ? [] : [patch])];

    test("POST: what is required is reported as missing", async () => {
      const fields = requiredFields(recordSchema(resource.create.request));

      const answer = await create(...fields.map((field) => ({ ...samples.record(), [field]: undefined })));

      expect(answer.status).toBe(400);
      expect(at(answer.body, "response.errors")).toEqual(
        fields.map((field, position) => ({ path: `data.${position}.${field}`, message: "is required" })),
      );
    });

    test("POST: every wrong value of every field is reported at its path", async () => {
      const good = samples.record(samples.optional);
      const wrong = wrongFields(recordSchema(resource.create.request), good);
      expect(wrong.length).toBeGreaterThan(10);

      for (const batch of batches(wrong)) {
        const answer = await create(...batch.map(([, field]) => ({ ...good, ...field })));

        expectWrong(answer, batch);
      }
    });

    test.runIf(change)("PATCH: every wrong value of every field is reported at its path", async () => {
      if (change === undefined) return;
      const good = samples.record(samples.optional);
      const required = requiredFields(recordSchema(resource.create.request));
      const keys = requiredFields(recordSchema(change.request));
      const wrong = wrongFields(recordSchema(change.request), { ...good, ...keyOf(0) }, [
        ...required,
        ...keys,
      ]);

      for (const batch of batches(wrong)) {
        const answer = await patch(...batch.map(([, field]) => ({ ...good, ...keyOf(0), ...field })));

        expectWrong(answer, batch);
      }
      if (keys.length === 0) return;
      const answer = await patch(...keys.map((field) => ({ ...good, ...keyOf(0), [field]: undefined })));
      expectWrong(
        answer,
        keys.map((field) => [[field], {}, "is required"]),
      );
    });

    test.each([
      [0, "must hold at least 1 element"],
      [101, "must hold at most 100 elements"],
    ])("POST and PATCH: a call of %i records", async (number, message) => {
      for (const call of calls()) {
        const answer = await call(...times(number, () => ({ ...samples.record(), ...keyOf(0) })));

        expectRefusal(answer, "data", message);
      }
    });

    test.each<[unknown, string]>([
      [{}, "data"],
      [{ data: "EXT" }, "data"],
      [[], "data"],
      [["EXT"], "data.0"],
      [[null], "data.0"],
      [null, "body"],
      ["data", "body"],
      [1, "body"],
      [{ data: ["EXT"] }, "data.0"],
      [{ data: [1] }, "data.0"],
      [{ data: [null] }, "data.0"],
      [{ data: [["EXT"]] }, "data.0"],
    ])("POST and PATCH: the body %j", async (body, path) => {
      const answers = [await service.oms.post(samples.path, body)];
      if (change !== undefined) answers.push(await service.oms.patch(samples.path, body));

      for (const answer of answers) expectRefusedAt(answer, [path]);
    });

    test("POST: no body at all", async () => {
      const answer = await service.oms.post(samples.path);

      expect(answer.status).toBe(400);
      expect(at(answer.body, "response.message")).toBe("The body must be JSON; it is empty");
    });

    const hasRules = resource.wrongReferences.length > 0;

    test.runIf(hasRules)(
      "POST and PATCH: a reference to nothing or another broken rule, each at its path",
      async () => {
        const expected = wrongRecords.map(([, path, message], position) =>
          expect.objectContaining({ path: `data.${position}.${path}`, message }),
        );
        const wrong = wrongRecords.map(([field]) => field);

        const answers = [await create(...wrong.map((field) => samples.record(field)))];
        if (change !== undefined)
          answers.push(await patch(...wrong.map((field, at) => ({ ...keyOf(at), ...field }))));

        for (const { status, body } of answers) {
          expect(status).toBe(400);
          expect(at(body, "response.errors")).toEqual(expected);
        }
      },
    );

    test.runIf(name)("POST: a name that exists, or twice in the call", async () => {
      if (name === undefined) return;
      const { field, taken } = name;
      const [known = {}] = existing;
      const twice = samples.record();

      const exists = await create(samples.record(), samples.record(pick(known, [field])));
      const again = { ...samples.record(), ...pick(twice, [field]) };
      const repeated = await create(twice, samples.record(), again, again);

      expectRefusal(exists, `data.1.${field}`, taken(known));
      expectRefusedAt(repeated, [`data.2.${field}`, `data.3.${field}`]);
      expect(at(repeated.body, "response.errors.1.message")).toBe(`is in this call twice (${twice[field]})`);
    });

    test.runIf(change)("PATCH: one record twice in the call", async () => {
      for (const fields of change?.keys ?? []) {
        const [sent] = change?.to[0] ?? [{}];
        const key = pick(existing[0] ?? {}, fields);

        const answer = await patch({ ...key, ...sent, ...key }, { ...key, ...sent, ...key });

        const [first = ""] = fields;
        expectRefusal(answer, `data.1.${first}`, `is in this call twice (${key[first]})`);
      }
    });

    test.runIf(change)(
      "PATCH: a record that does not exist, twice in the call, is missing at both places",
      async () => {
        for (const unknown of change?.unknown ?? []) {
          const [sent] = change?.to[0] ?? [{}];
          const [field = ""] = Object.keys(unknown);

          const answer = await patch({ ...sent, ...unknown }, { ...sent, ...unknown });

          expect(answer.status).toBe(404);
          expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
            `data.0.${field}`,
            `data.1.${field}`,
          ]);
        }
      },
    );

    test.runIf(change)("PATCH: a record that does not exist is 404, alone and among others", async () => {
      for (const unknown of change?.unknown ?? []) {
        const [sent] = change?.to[0] ?? [{}];
        const [field = "", value] = Object.entries(unknown)[0] ?? [];

        const alone = await patch({ ...sent, ...unknown });
        const among = await patch({ ...sent, ...keyOf(0) }, { ...sent, ...unknown });

        expect([alone.status, among.status]).toEqual([404, 404]);
        for (const { body } of [alone, among])
          expect(at(body, "response.message")).toBe(`There is no ${change?.missing(unknown)}`);
        expect(at(among.body, "response.errors")).toEqual([
          { path: `data.1.${field}`, message: `names no ${title} (${value})`, code: "unknown_reference" },
        ]);
      }
    });

    test("POST and PATCH: one wrong record among good ones", async () => {
      const required = requiredFields(recordSchema(resource.create.request)).at(-1) ?? "";
      const wrong: Fields[] = [{ [required]: true }, ...wrongByPath.values()];
      if (name !== undefined) wrong.push(pick(existing[2] ?? {}, [name.field]));
      const [sent] = change?.to[0] ?? [{}];

      for (const field of wrong) {
        const answers = [await create(samples.record(), samples.record(field), samples.record())];
        if (change !== undefined && !(name !== undefined && name.field in field))
          answers.push(await patch({ ...sent, ...keyOf(0) }, { ...keyOf(1), ...field }));

        for (const { status, body } of answers) {
          expect(status).toBe(400);
          expect(at(body, "response.errors.0.path")).toMatch(/^data\.1\./);
        }
      }
    });

    test("POST: everything that is wrong is listed", async () => {
      const paths = [...wrongByPath.keys()].map((path) => `data.0.${path}`);
      const records = [samples.record([...wrongByPath.values()].reduce(merged, {})), samples.record()];
      if (name !== undefined) {
        records.push(samples.record(pick(existing[0] ?? {}, [name.field])));
        paths.push(`data.2.${name.field}`);
      }

      const answer = await create(...records);

      expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual(paths);
    });

    describe("by another account", () => {
      test.runIf(read)("which reads the record as one that does not exist", async () => {
        for (const field of read?.by ?? []) {
          const identifier = existing[0]?.[field];
          const [foreign, missing] = [await get(identifier, stranger), await get("999999999", stranger)];

          expect(foreign.status).toBe(404);
          expectAsMissing(foreign, identifier, missing);
          expect((await get(identifier)).status).toBe(200);
        }
      });

      test.runIf(change)("which finds nothing to change, also among records of its own", async () => {
        const [sent] = change?.to[0] ?? [{}];
        const [own = {}] = recordsOf(theirs);
        for (const fields of change?.keys ?? []) {
          const foreign = pick(existing[0] ?? {}, fields);
          const [field = ""] = fields;
          const answers = [
            await bulk(stranger.oms, "patch", strangers.path, [{ ...sent, ...foreign }]),
            await bulk(stranger.oms, "patch", strangers.path, [
              pick(own, [...fields, "value"]),
              { ...sent, ...foreign },
            ]),
          ];

          expect(answers.map(({ status }) => status)).toEqual([404, 404]);
          for (const { body } of answers) {
            expect(at(body, "response.message")).toBe(`There is no ${change?.missing(foreign)}`);
            expect(JSON.stringify(body)).not.toContain(`account ${service.accountId}`);
            expect(JSON.stringify(body)).not.toContain(String(samples.product?.sku));
          }
          expect(at(answers[1]?.body, "response.errors.0")).toEqual({
            path: `data.1.${field}`,
            message: `names no ${title} (${foreign[field]})`,
            code: "unknown_reference",
          });
        }
      });

      test.runIf(hasRules)("which refers to what the owner has", async () => {
        const { references } = samples;
        const own = answered === undefined ? [] : recordsOf(theirs);
        const wrong = references.map(([field]) => strangers.record(field));
        const answers = [await bulk(stranger.oms, "post", strangers.path, wrong)];
        if (change !== undefined)
          answers.push(
            await bulk(
              stranger.oms,
              "patch",
              strangers.path,
              references.map(([field], position) => ({
                ...pick(own[position] ?? {}, change.keys[0] ?? []),
                ...field,
              })),
            ),
          );

        for (const { status, body } of answers) {
          expect(status).toBe(400);
          expect(at(body, "response.errors")).toEqual(
            references.map(([, path, message], position) => ({
              path: `data.${position}.${path}`,
              message,
              code: "unknown_reference",
            })),
          );
        }
      });
    });

    const others = [...(resource.counted ?? []), ...(resource.affected ?? [])];
    const listsOf = (account: Account, { path, list: listed = path }: Samples) =>
      [listed, ...others].map(async (each) => (await list("per_page=100", account, each)).body);
    changeNothing(() => Promise.all([...listsOf(owner, samples), ...listsOf(stranger, strangers)]));
  });
}

/** Asserts that each record of a call was rejected at its path, with its message if that is known. */
function expectWrong(
  answer: Answer,
  records: readonly (readonly [path: readonly string[], field: Fields, message: string | undefined])[],
): void {
  expectRefusedAt(
    answer,
    records.map(([path], position) => `data.${position}.${path.join(".")}`),
  );
  for (const [position, error] of listAt(answer.body, "response.errors").entries()) {
    const message = records[position]?.[2];
    if (message !== undefined) expect(at(error, "message"), String(at(error, "path"))).toBe(message);
  }
}

/** The version of a record after a change, if it has versions. */
const raised = ({ version }: Fields): Fields =>
  version === undefined ? {} : { version: Number(version) + 1 };

const answerTime = (answer: Answer) => at(answer.body, "data.0.updated_at");
