/** The credentials that the AWS SDK requests from its default provider. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Replaces the AWS SDK's default credential provider in the bundles.
 *
 * Lambda puts a function's credentials into its environment. The SDK's own provider also supports profiles,
 * single sign-on and instance metadata. No function uses those, and they would be a quarter of every bundle.
 *
 * The credentials do not change while an instance lives. The SDK asks its provider at every call, so this one
 * reads them once.
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
