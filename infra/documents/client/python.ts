/**
 * The Python package of the typed client. openapi-python-client generates it from the OpenAPI document of all
 * areas, and `template/python/connect.py` adds the credentials. The generator, in the versions of
 * `requirements.txt`, is installed into a virtual environment the first time.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../paths.ts";
import { documentOf } from "../openapi/document.ts";
import { inWorkplace, packageName, project, template } from "./typescript.ts";

const run = promisify(execFile);

const sources = join(template, "python");
const requirements = join(sources, "requirements.txt");
const environment = join(projectRoot, "dist", "python-client-generator");

/**
 * Writes the wheel of the package into a folder.
 * @returns its path
 */
export const writePythonClient = (folder: string): Promise<string> =>
  inWorkplace(async (workplace) => {
    await installGenerator();
    const module = packageName.replaceAll("-", "_");
    const { version } = project();
    const document = join(workplace, "all.json");
    const config = join(workplace, "config.json");
    const generated = join(workplace, "package");
    writeFileSync(document, JSON.stringify(documentOf("all", { hasDryRuns: false })));
    writeFileSync(
      config,
      JSON.stringify({
        project_name_override: packageName,
        package_name_override: module,
        package_version_override: version,
        post_hooks: [],
      }),
    );
    const options = ["--path", document, "--config", config, "--meta", "setup", "--output-path", generated];
    await inEnvironment("openapi_python_client", ["generate", ...options, "--fail-on-warning"]);
    cpSync(join(sources, "connect.py"), join(generated, module, "connect.py"));
    cpSync(join(sources, "README.md"), join(generated, "README.md"));
    mkdirSync(folder, { recursive: true });
    const wheel = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", resolve(folder)];
    await inEnvironment("pip", [...wheel, generated]);
    return join(resolve(folder), `${module}-${version}-py3-none-any.whl`);
  });

/** Runs a module of the environment. Its scripts would contain the folder in which it was created. */
const inEnvironment = (module: string, options: readonly string[]) =>
  run(join(environment, "bin", "python"), ["-m", module, ...options]);

async function installGenerator(): Promise<void> {
  const installed = join(environment, "requirements.txt");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(requirements, "utf8")) return;
  rmSync(environment, { recursive: true, force: true });
  await run("python3", ["-m", "venv", environment]);
  await inEnvironment("pip", ["install", "--quiet", "--requirement", requirements]);
  cpSync(requirements, installed);
}
