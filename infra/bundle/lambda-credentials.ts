/** The credentials that the AWS SDK asks its default provider for. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Replaces the AWS SDK's default credential provider in the bundles.
 *
 * Lambda puts a function's credentials into its environment. The SDK's own provider also knows profiles,
 * single sign-on and instance metadata. No function uses those, but they would be a quarter of every bundle.
 *
 * They stay the same for as long as an instance lives. So a provider reads them once: the SDK asks it at
 * every call.
 */
export const defaultProvider = () => {
  let known: Credentials | undefined;
  return async (): Promise<Credentials> => {
    known ??= fromEnvironment();
    return known;
  };
};

const fromEnvironment = (): Credentials => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) throw new Error("The environment has no AWS credentials.");
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
