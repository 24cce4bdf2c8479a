/** Judges, after a run of all tests, whether functions are allowed what none of the tests needed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { exceptions } from "./permission-exceptions.ts";

const allowances = z.array(
  z.object({
    function: z.string(),
    action: z.string(),
    resource: z.string(),
    leadingKeys: z.optional(z.string()),
    used: z.boolean(),
  }),
);
export type Allowance = z.output<typeof allowances>[number];

/** Permissions that need no test of their own. */
export interface Exception {
  /** Finds them by their whole names, such as `read TABLE_JOBS steps#* by jobs/apply-weight`. */
  readonly permissions: RegExp;
  readonly reason: string;
  /** Whether at least one function must have needed the same: what functions share, one of them proves. */
  readonly proven?: true;
}

/** Reading an item, several or a range are one permission: what is read together is for the flow to know. */
const reading: ReadonlySet<string> = new Set(["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"]);

const verbOf = (action: string): string => (reading.has(action) ? "read" : action.replace(/^dynamodb:/, ""));

/** What a permission is about, whoever has it. */
const subjectOf = ({ action, resource, leadingKeys = "" }: Allowance): string =>
  [verbOf(action), resource, leadingKeys].join(" ").trimEnd();

/**
 * What is wrong with the permissions of a run: those that no test needed and no exception allows, and
 * exceptions for permissions that no function has. An exception that a run did not need is fine: whether a
 * test needs such a permission can depend on timing.
 */
export function faultsOf(found: readonly Allowance[], excepted: readonly Exception[]): readonly string[] {
  const needed = new Set<string>();
  const all = new Set<string>();
  const subjects = new Set<string>();
  for (const allowance of found) {
    const subject = subjectOf(allowance);
    const name = `${subject} by ${allowance.function}`;
    all.add(name);
    if (!allowance.used) continue;
    needed.add(name);
    subjects.add(subject);
  }
  const unneeded = [...all].filter((name) => !needed.has(name)).sort();
  const allows = ({ permissions, proven }: Exception, name: string): boolean =>
    permissions.test(name) && (proven !== true || subjects.has(name.replace(/ by .*$/, "")));
  return [
    ...unneeded
      .filter((name) => !excepted.some((exception) => allows(exception, name)))
      .map((name) => `No test needs: ${name}`),
    ...excepted
      .filter(({ permissions }) => ![...all].some((name) => permissions.test(name)))
      .map(({ permissions }) => `No function has what is excepted: ${permissions}`),
  ];
}

/** What is wrong with the permissions of the run that kept them in this folder. */
export function judgePermissions(folder: string): readonly string[] {
  const found = readdirSync(folder).flatMap((name) =>
    allowances.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))),
  );
  return found.length === 0 ? ["The run kept no permissions"] : faultsOf(found, exceptions);
}
