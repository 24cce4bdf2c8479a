import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { secretVariable } from "../lambda/contract.ts";

/** How long an instance trusts the secret it read, in milliseconds. After that time a new secret holds everywhere. */
const fresh = 5 * 60_000;

/** Time limits of a call, in milliseconds. A call that hangs is retried well within an endpoint's 29 s. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

/** The secrets of sessions. A rotation that ends no session keeps the secret of before behind the new one. */
export interface SigningSecrets {
  /** What new sessions are signed with. */
  readonly current: string;
  /** What a session may be signed with; `current` is the first. */
  readonly accepted: readonly string[];
}

interface Read {
  readonly value: Promise<SigningSecrets>;
  readonly until: number;
}

let client: SecretsManagerClient | undefined;
let last: Read | undefined;

async function read(): Promise<SigningSecrets> {
  const SecretId = process.env[secretVariable];
  if (SecretId === undefined)
    throw new Error("the contract does not state that the function reads the secret");
  client ??= new SecretsManagerClient({ maxAttempts: 4, requestHandler: timeouts });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  const accepted = (SecretString ?? "").split(" ").filter((secret) => secret !== "");
  const [current] = accepted;
  if (current === undefined) throw new Error("the signing secret is empty");
  return { current, accepted };
}

/**
 * What signs sessions, from AWS Secrets Manager: one value, with spaces between several secrets. An instance reads it at first
 * use, and again when five minutes have passed. A secret that the value lacks ends all sessions that it signed, but an instance
 * may accept it for those five minutes.
 */
export function signingSecrets(): Promise<SigningSecrets> {
  if (last !== undefined && Date.now() < last.until) return last.value;
  const reading: Read = { value: read(), until: Date.now() + fresh };
  last = reading;
  // A failed read is not kept, so the next request tries again.
  reading.value.catch(() => {
    if (last === reading) last = undefined;
  });
  return reading.value;
}
