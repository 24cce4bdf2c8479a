/** Runs the assembly that the first argument names, with the data that the second one may name, for a test to kill. */
import { startRuntime } from "../../../infra/local/index.ts";

const [, , assembly = "", dataDir] = process.argv;
const runtime = await startRuntime({ assembly, ...(dataDir !== undefined && { dataDir }) });
process.stdout.write(`${JSON.stringify({ dynamodb: runtime.dynamodb, sqs: runtime.sqs })}\n`);
