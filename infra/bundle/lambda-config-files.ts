/** Has the AWS SDK go on to its own setting, as where a file does not state one. */
const nothingStated = Object.assign(new Error("A function has no configuration files"), {
  tryNextLink: true,
});

/**
 * Replaces the AWS SDK's look into a user's configuration files in the bundles.
 *
 * A function has no such files: its environment says all. For each of a dozen settings the SDK would look for
 * them, and make two errors of what is not there.
 */
export const fromSharedConfigFiles = () => async (): Promise<never> => {
  throw nothingStated;
};
