/**
 * `npm run fuzz [-- EXAMPLES [SEED]]` (50 for each call without): calls the service with what the OpenAPI
 * documents allow and with what they don't, by schemathesis (https://pypi.org/project/schemathesis), which
 * has to be installed. Fails where an answer is 5xx, or is not as the documents say. `SCHEMATHESIS` names its
 * command where that is not on the path.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoMasterKey } from "../../infra/demo/registry.ts";
import { documentOf } from "../../infra/documents/openapi/document.ts";
import type { DocumentName } from "../../shared/runtime/contract.ts";
import { deployed } from "../bench/scale/deployment.ts";
import { signIn } from "../support/http/mobile.ts";

/** The command that schemathesis is. */
const command = process.env["SCHEMATHESIS"] ?? "schemathesis";

/**
 * What the fuzzer compares. An unserved method is 404 here, not 405 as it expects (docs/decisions.md, Status
 * codes).
 */
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

const [examples = "50", seed = "1"] = process.argv.slice(2);
if (![examples, seed].every((text) => Number.isInteger(Number(text)) && Number(text) > 0))
  throw new Error("The examples for each call and the seed are whole numbers of at least 1.");
if (spawnSync(command, ["--version"]).status !== 0)
  throw new Error(`${command} does not run; install it, as with "pip install schemathesis==4.32.5".`);

/** Calls that take the same credentials. */
interface Part {
  readonly document: DocumentName;
  /** Which paths of the document. */
  readonly paths: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns whether the fuzzer found nothing */
async function fuzz(url: string, folder: string, { document, paths, headers }: Part): Promise<boolean> {
  const file = join(folder, `${document}.json`);
  writeFileSync(file, JSON.stringify(documentOf(document)));
  process.stdout.write(`\n${document}: ${paths}\n`);
  const options = [
    `--url=${url}`,
    `--include-path-regex=${paths}`,
    `--checks=${checks.join(",")}`,
    "--phases=examples,coverage,fuzzing",
    "--continue-on-failure",
    // A reader of events may ask to wait for 20 seconds.
    "--request-timeout=30",
    // With more than one, its generators get into each other's way.
    "--workers=1",
    "--generation-database=none",
    "--warnings=off",
    "--no-color",
    `--max-examples=${examples}`,
    `--seed=${seed}`,
    ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
  ];
  const child = spawn(command, ["run", file, ...options], { stdio: "inherit", cwd: folder });
  const [code] = await once(child, "close");
  return code === 0;
}

const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
const found = await deployed({}, async (service) => {
  const { runtime, credentials } = service;
  const session = await signIn(service);
  const parts: readonly Part[] = [
    { document: "oms", paths: ".", headers: credentials },
    { document: "wms", paths: ".", headers: { userName: "manager", Key: demoMasterKey } },
    { document: "v2", paths: "^/(apiv2/)?([a-z]+_|ping|pro-v1)", headers: credentials },
    { document: "v2", paths: "^/apiv2/mobile-v1/", headers: session.headers },
    // Last, since a sign-out ends the session.
    { document: "v2", paths: "^/apiv2/mobile-(login|verify|logout)", headers: session.headers },
  ];
  const failed: Part[] = [];
  for (const part of parts) if (!(await fuzz(runtime.url, folder, part))) failed.push(part);
  return failed;
}).finally(() => rmSync(folder, { recursive: true }));
for (const { document, paths } of found) process.stdout.write(`found something: ${document}, ${paths}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
