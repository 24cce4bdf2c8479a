import { expect, test } from "vitest";
import * as z from "zod/mini";
import { readMessage, writeMessage, writeTogether } from "../../../shared/jobs/message.ts";
import { operations, pick, randomFrom, whole } from "../../support/http/random.ts";

/** SQS takes ten messages in a call, and 256 KB. */
const maxBytes = 25_600;

const random = randomFrom(7);

/** Descriptions of a byte for each character, of four, and of six, as a lone surrogate is escaped. */
const jobsOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({
    job_id: 1000 + position,
    by: "user:manager",
    payload: { description: pick(random, ["x", "😀", "\ud800", "\uffff"]).repeat(whole(random, 0, 500)) },
  }));

const carried = (text: string) => {
  const { more = [], ...first } = readMessage(text);
  return [first, ...more];
};

test(`${operations(50, 2000)} calls of up to 100 jobs are carried whole and in order, by as few messages as SQS takes`, () => {
  for (let count = 0; count < operations(50, 2000); count += 1) {
    const jobs = jobsOf(whole(random, 1, 100));

    const texts = writeTogether(jobs);

    expect(texts.flatMap(carried)).toEqual(jobs);
    const bytes = texts.map((text) => Buffer.byteLength(text));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(maxBytes);
    for (const [position, text] of texts.entries()) {
      const [next] = texts.slice(position + 1, position + 2).flatMap(carried);
      const wouldTake = (bytes[position] ?? 0) + (next === undefined ? maxBytes : writeMessage(next).length);
      expect([text, wouldTake]).toSatisfy(() => wouldTake > 24_000);
    }
  }
});

test("release 1.0.0 reads a message of several jobs as one of its first job", () => {
  const readBefore = z.object({ job_id: z.number(), by: z.string(), payload: z.unknown() });
  const jobs = jobsOf(3);

  const [text = ""] = writeTogether(jobs);

  expect(z.parse(readBefore, JSON.parse(text))).toEqual(jobs[0]);
});
