import { readSecret } from "../runtime/secret.ts";
import { secretVariable } from "../runtime/shared-names.ts";

/** How long an instance caches the secret. After that time, a new secret is in use everywhere. */
const maxAgeMs = 5 * 60_000;

/** The secrets that sign sessions. To rotate them, the previous one is kept after the new one. */
interface SigningSecrets {
  readonly current: string;
  /** Valid signers of existing sessions; `current` is the first. */
  readonly accepted: readonly string[];
}

interface Read {
  readonly value: Promise<SigningSecrets>;
  readonly until: number;
}

let last: Read | undefined;

async function read(): Promise<SigningSecrets> {
  const accepted = (await readSecret(secretVariable)).split(" ").filter((secret) => secret !== "");
  const [current] = accepted;
  if (current === undefined) throw new Error("the signing secret is empty");
  return { current, accepted };
}

/**
 * One value of Secrets Manager, with spaces between several secrets. An instance reads it again after
 * `maxAgeMs`: by then, a secret that was removed has ended all sessions that it signed.
 */
export function signingSecrets(): Promise<SigningSecrets> {
  if (last !== undefined && Date.now() < last.until) return last.value;
  const reading: Read = { value: read(), until: Date.now() + maxAgeMs };
  last = reading;
  // A failed read is not cached, so the next request tries again.
  reading.value.catch(() => {
    if (last === reading) last = undefined;
  });
  return reading.value;
}
