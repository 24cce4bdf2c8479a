/**
 * `npm run release:freeze`, at the end of a release: records what its functions may reach, and writes the
 * snapshot of its data into test/releases/VERSION. A test loads each release's snapshot from then on, and
 * compares what the API answers. A snapshot that is committed is not written again, except with `--again`,
 * for a release that nobody has deployed yet.
 */
import { execFileSync } from "node:child_process";
import { freezePermissions } from "../../infra/release/freeze.ts";
import packageJson from "../../package.json" with { type: "json" };
import { deployed } from "../bench/scale/deployment.ts";
import { contentsOf } from "../support/records/demo-data.ts";
import { answersOf, folderOf, releases, writeSnapshot } from "./snapshot.ts";
import { walk } from "./walk.ts";

const { version } = packageJson;
const isCommitted = execFileSync("git", ["ls-files", folderOf(version)], { encoding: "utf8" }) !== "";
if (isCommitted && !process.argv.includes("--again")) {
  process.stderr.write(
    `Release ${version} is frozen. Raise the version in package.json; or, if it has not been deployed anywhere yet, ` +
      "run npm run release:freeze -- --again.\n",
  );
  process.exit(1);
}
freezePermissions(releases());
await deployed({ streams: true, environment: { WEBHOOKS_TO_LOOPBACK: "allowed" } }, async (service) => {
  await walk(service);
  await service.runtime.pause();
  const answers = await answersOf(service);
  const failed = answers.filter(({ status }) => status !== 200);
  if (failed.length > 0) throw new Error(`calls failed: ${JSON.stringify(failed.slice(0, 3))}`);
  writeSnapshot(version, await contentsOf(service.runtime), answers);
  process.stdout.write(`${answers.length} answers of release ${version} are frozen\n`);
});
