/**
 * What the runtimes of a run tell of the permissions that their functions needed; `test/permissions.ts`
 * judges it.
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FunctionAllowance, Runtime } from "../../../infra/local/index.ts";

/**
 * The variable that names the folder where it is kept; a run of some files alone has none, and keeps nothing.
 */
export const permissionsVariable = "TEST_PERMISSIONS";

/** The resource by the variable that names its table: the tables of each runtime have names of their own. */
const placed = (resource: string, tables: Runtime["dynamodb"]["tables"]): string => {
  const [, name = "", rest = ""] = /:table\/([^/]+)(.*)$/.exec(resource) ?? [];
  const [variable] = Object.entries(tables).find(([, deployed]) => deployed === name) ?? [];
  return variable === undefined ? resource : `${variable}${rest}`;
};

/**
 * Keeps what the functions of a runtime are allowed, and what of it they needed. To be called before the
 * runtime stops.
 */
export function keepPermissions(runtime: Runtime): void {
  const folder = process.env[permissionsVariable];
  if (folder === undefined) return;
  const found = runtime.permissions().map(
    (allowance): FunctionAllowance => ({
      ...allowance,
      resource: placed(allowance.resource, runtime.dynamodb.tables),
    }),
  );
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(found));
}
