/**
 * AWS checks the signature of each call, and the local runtime does not. So what bundles send, which have
 * only a part of the AWS SDK, is compared here with Signature Version 4.
 */
import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { bundleFolder } from "../../infra/bundle/bundle.ts";
import { monitorVariable } from "../../shared/runtime/shared-names.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";

const secretKey = "secret/key";

interface Call {
  readonly request: IncomingMessage;
  readonly body: string;
}

const digest = (data: string): string => createHash("sha256").update(data).digest("hex");
const mac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** The signature of a call, and what it has to be. */
function signatures({ request, body }: Call) {
  const { headers, method = "", url = "" } = request;
  const [, scope = "", names = "", signature] =
    /Credential=[^/]+\/(.*), SignedHeaders=(.*), Signature=(.*)$/.exec(headers.authorization ?? "") ?? [];
  const signed = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, "", signed.join(""), names, digest(body)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(mac, `AWS4${secretKey}`);
  const said = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, digest(canonical)].join("\n");
  return { names, signature, expected: mac(key, said).toString("hex") };
}

/** The first call that a function sends when it runs on its schedule. It is refused. */
async function firstCallOf(key: string): Promise<Call> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    calls.push({ request, body: await text(request) });
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: "ValidationException", message: "refused" }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const bundle = pathToFileURL(join(bundleFolder(key), "index.mjs")).href;
  const script = `const { handler } = await import(${JSON.stringify(bundle)});
    await handler({}, { getRemainingTimeInMillis: () => 5000 }).catch(() => undefined);`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    env: {
      ...Object.fromEntries(tableNames.map((name) => [tableSchemas[name].variable, "table"])),
      [monitorVariable]: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:monitor",
      ...{ AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ENDPOINT_URL_SECRETS_MANAGER: url, AWS_REGION: "eu-west-1" },
      ...{ AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: secretKey, AWS_SESSION_TOKEN: "token" },
    },
  });
  const [first] = calls;
  if (first === undefined) throw new Error(`${key} sent nothing`);
  return first;
}

test.each([
  ["DynamoDB", "jobs/sweep-jobs"],
  ["Secrets Manager", "monitor/call-service"],
])("calls of %s are signed as AWS asks for", async (_service, key) => {
  const { names, signature, expected } = signatures(await firstCallOf(key));

  expect(names.split(";")).toEqual(expect.arrayContaining(["host", "x-amz-date", "x-amz-security-token"]));
  expect(signature).toBe(expected);
});
