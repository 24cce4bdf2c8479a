import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { listed } from "../../../infra/operator/cli/result.ts";
import { meter } from "../../../infra/operator/cli/terminal.ts";

/** Counts 50 each five seconds, three times. @returns what is printed */
function printed(isInteractive: boolean, of = 200): string {
  let text = "";
  let now = 0;
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const shown = meter({ stdin: process.stdin, stderr, isInteractive }, "Importing", of, () => now);
  for (let part = 1; part <= 3; part += 1) {
    now += 5000;
    shown.advance(50);
  }
  now += 60_000;
  shown.stop();
  return text;
}

test("without a terminal, progress is a line every ten seconds, with total, rate and time left", () => {
  expect(printed(false)).toBe("Importing: 100 of 200, 10 a second, 10 s left\n");
});

test("in a terminal, progress is one line that is overwritten, with the rate until the last count", () => {
  const lines = printed(true).split("\r\u001B[2K");

  expect(lines).toEqual([
    "",
    "Importing: 50 of 200, 10 a second, 15 s left",
    "Importing: 100 of 200, 10 a second, 10 s left",
    "Importing: 150 of 200, 10 a second, 5 s left",
    "Importing: 150 of 200, 10 a second, 5 s left\n",
  ]);
});

test("in a terminal, the last state is shown once all is counted, and not again at the end of the command", () => {
  const lines = printed(true, 150).split("\r\u001B[2K");

  expect(lines.slice(2)).toEqual([
    "Importing: 100 of 150, 10 a second, 5 s left",
    "Importing: 150 of 150, 10 a second\n",
  ]);
});

test("a table breaks long cells only if it would not fit a terminal, between words if it can", () => {
  const says = `order.updated (event) delivered after 2 attempts; ${"x".repeat(40)}`;
  const widthOf = (text: string) => Math.max(...text.split("\n").map(({ length }) => length));

  const narrow = listed([{ says }], "none").text;
  const broken = listed([{ at: "2026-01-31", says, record: says }], "none").text;

  expect(narrow).toContain(`│ ${says} │`);
  expect(widthOf(broken)).toBeLessThan(100);
  expect(broken.match(/│ order.updated \(event\) delivered +│ order/)).not.toBeNull();
  expect(broken).toContain(`│ ${"x".repeat(32)} │ ${"x".repeat(32)} │`);
});
