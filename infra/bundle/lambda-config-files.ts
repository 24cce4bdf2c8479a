/** Makes the AWS SDK use its default, as it does for settings that a configuration file does not contain. */
const nothingStated = Object.assign(new Error("A function has no configuration files"), {
  tryNextLink: true,
});

/**
 * Replaces the AWS SDK's reader of a user's configuration files in the bundles.
 *
 * A function has no such files: it is configured by its environment. The SDK would look for the files for
 * each of a dozen settings, and create two errors for each missing file.
 */
export const fromSharedConfigFiles = () => async (): Promise<never> => {
  throw nothingStated;
};
