import * as z from "zod";
import type { Resolver } from "./intrinsics/resolver.ts";

const secretSchema = z.object({
  GenerateSecretString: z.strictObject({
    PasswordLength: z.number(),
    ExcludePunctuation: z.literal(true),
  }),
});

/** A secret that CloudFormation generates, of letters and digits. */
export interface SecretDefinition {
  readonly name: string;
  readonly arn: string;
  readonly length: number;
}

export const readSecrets = (resolver: Resolver): SecretDefinition[] =>
  resolver.resources("AWS::SecretsManager::Secret").map((resource) => ({
    name: resolver.name(resource),
    arn: String(resolver.reference(resource)),
    length: resolver.read(resource, secretSchema).GenerateSecretString.PasswordLength,
  }));
