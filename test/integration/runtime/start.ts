/** Runs the assembly that the first argument names, in a process that a test can kill. */
import { startRuntime } from "../../../infra/local/index.ts";

const runtime = await startRuntime({ assembly: process.argv[2] ?? "" });
process.stdout.write(`${JSON.stringify({ api: runtime.url, dynamodb: runtime.dynamodb.endpoint })}\n`);
