/**
 * One instance of a function, as Lambda starts it: a fresh process that loads a bundle and then answers
 * events. It tells the processor time that each part took, in microseconds, all threads of the process
 * together.
 *
 * It is plain JavaScript, for stripping types would take longer than what is measured.
 *
 * @import { Ask, Loaded, Done } from "./instance.ts"
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [file = ""] = process.argv.slice(2);

const used = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** @param {Loaded | Done} told */
const tell = (told) => void process.send?.(told);

const context = {
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  functionName: "bench",
  functionVersion: "$LATEST",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:bench",
  memoryLimitInMB: "512",
  getRemainingTimeInMillis: () => 29_000,
};

// Lambda's own runtime has loaded these before any function.
process.getBuiltinModule("node:http");
createHash("sha256");

const before = used();
const { handler } = await import(pathToFileURL(file).href);
tell({ loading: used() - before });

process.on("disconnect", () => process.exit());
process.on("message", async (/** @type {Ask} */ { events, times }) => {
  const start = used();
  /** @type {unknown} */
  let answer;
  for (let time = 0; time < times; time += 1)
    for (const event of events) answer = await handler(event, context);
  tell({ answering: used() - start, answer });
});
