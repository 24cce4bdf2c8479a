import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import * as z from "zod";
import type { SecretDefinition } from "../assembly/secrets.ts";
import { isObject, parseJson, readJsonFile } from "../json.ts";
import { secretNotFound, unknownOperation } from "../proxy/answers.ts";
import type { Backend, Forwarded } from "../proxy/forward.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const generated = (length: number): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join("");

/**
 * The generated values of the secrets, by ARN. A data directory keeps them for the next start, so that
 * signatures stay valid.
 */
export const secretValues = (
  secrets: readonly SecretDefinition[],
  dataDir: string | undefined,
): Map<string, string> => {
  const file = dataDir === undefined ? undefined : join(dataDir, "secrets.json");
  const kept = file && existsSync(file) ? readJsonFile(file, z.record(z.string(), z.string())) : {};
  const values = new Map(secrets.map(({ arn, length }) => [arn, kept[arn] ?? generated(length)]));
  if (dataDir !== undefined && file !== undefined) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 });
  }
  return values;
};

/** Answers functions as AWS Secrets Manager would, but only requests for the current value of a secret. */
export class SecretStore implements Backend {
  readonly #secrets: readonly SecretDefinition[];
  readonly #values: ReadonlyMap<string, string>;

  constructor(secrets: readonly SecretDefinition[], values: ReadonlyMap<string, string>) {
    this.#secrets = secrets;
    this.#values = values;
  }

  async send(headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
    if (headers["x-amz-target"] !== "secretsmanager.GetSecretValue") return answered(unknownOperation());
    const input = parseJson(body.toString("utf8"));
    const wanted = isObject(input) ? input["SecretId"] : undefined;
    const secret = this.#secrets.find(({ arn, name }) => wanted === arn || wanted === name);
    if (secret === undefined) return answered(secretNotFound());
    const { arn: ARN, name: Name } = secret;
    const found = { ARN, Name, SecretString: this.#values.get(ARN), VersionStages: ["AWSCURRENT"] };
    return answered({ status: 200, body: JSON.stringify(found) });
  }

  close(): void {}
}

const answered = ({ status, body }: { readonly status: number; readonly body: string }): Forwarded => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: Buffer.from(body),
});
