import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { secretVariable } from "../contract.ts";

/** How long an instance trusts what it read, in milliseconds: a rotated secret holds everywhere after this time. */
const fresh = 5 * 60_000;

/** A call that hangs is given up and retried, well within an endpoint's 29 s. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

interface Read {
  readonly value: Promise<string>;
  readonly until: number;
}

let client: SecretsManagerClient | undefined;
let last: Read | undefined;

async function read(): Promise<string> {
  const SecretId = process.env[secretVariable];
  if (SecretId === undefined)
    throw new Error("the contract does not state that the function reads the secret");
  client ??= new SecretsManagerClient({ maxAttempts: 4, requestHandler: timeouts });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error("the signing secret is empty");
  return SecretString;
}

/**
 * The secret that mobile sessions are signed with, from AWS Secrets Manager: read at first use, then at most every five
 * minutes. A new secret ends all sessions; for those five minutes, an instance may still go by the old one.
 */
export function signingSecret(): Promise<string> {
  if (last !== undefined && Date.now() < last.until) return last.value;
  const reading: Read = { value: read(), until: Date.now() + fresh };
  last = reading;
  // A failed reading is not kept: the next request tries again.
  reading.value.catch(() => {
    if (last === reading) last = undefined;
  });
  return reading.value;
}
