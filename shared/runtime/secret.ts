/** Reads secrets of AWS Secrets Manager. */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/** Time limits of a call, in milliseconds. A hanging call is retried well within an endpoint's 29 s. */
const timeouts = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

let client: SecretsManagerClient | undefined;

/** The current value of the secret whose ARN is in an environment variable. */
export async function readSecret(variable: string): Promise<string> {
  const SecretId = process.env[variable];
  if (SecretId === undefined)
    throw new Error("the contract does not state that the function reads the secret");
  client ??= new SecretsManagerClient({ maxAttempts: 4, requestHandler: timeouts });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  return SecretString ?? "";
}
