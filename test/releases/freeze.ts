/**
 * `npm run release:freeze`: writes the snapshot of this release into test/releases/VERSION, at its end. A test loads each release's snapshot
 * from then on, and compares what the API answers. A snapshot is never written again once its release is out.
 */
import packageJson from "../../package.json" with { type: "json" };
import { deployed } from "../bench/scale/deployment.ts";
import { contentsOf } from "../support/demo-data.ts";
import { answersOf, writeSnapshot } from "./snapshot.ts";
import { walk } from "./walk.ts";

await deployed({ streams: true, environment: { WEBHOOKS_TO_LOOPBACK: "allowed" } }, async (service) => {
  await walk(service);
  await service.runtime.pause();
  const answers = await answersOf(service);
  const failed = answers.filter(({ status }) => status !== 200);
  if (failed.length > 0) throw new Error(`calls failed: ${JSON.stringify(failed.slice(0, 3))}`);
  writeSnapshot(packageJson.version, await contentsOf(service.runtime), answers);
  process.stdout.write(`${answers.length} answers of release ${packageJson.version} are frozen\n`);
});
