/**
 * The log of operators' changes. An entry is stored before a command begins, so that one that is killed is in
 * the log, too, and completed at its end. Entries have no secrets, and no data of customers.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../../shared/common/primitives.ts";
import { secondsAfter } from "../../shared/common/times.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { joined } from "../../shared/store/dynamodb/keys.ts";
import { queryPages } from "../../shared/store/dynamodb/reads.ts";
import { transact } from "../../shared/store/dynamodb/transact.ts";
import type { CommandOutcome } from "./cli/outcome.ts";

const table = "identity";

const retentionDays = 366;

/** Months that have entries. */
const retentionMonths = 14;

const pageSize = 100;

const auditEntry = z.object({
  at: primitive.text,
  /** Who made the change, and what it worked on. */
  by: primitive.text,
  where: primitive.text,
  /** Command and subcommand, and the values of arguments and options. */
  command: primitive.text,
  values: z.unknown(),
  /** The id by which `trace` finds what it caused. */
  request_id: z.optional(primitive.text),
  /** Missing while the command runs, and if it was killed. */
  outcome: z.optional(primitive.text),
  ended_at: z.optional(primitive.text),
  result: z.optional(primitive.text),
  /** The record that was changed, if the command changes one. */
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});
export type AuditEntry = z.output<typeof auditEntry>;

type Begun = Pick<AuditEntry, "by" | "where" | "command" | "values">;

type Ended = { readonly outcome: CommandOutcome } & Pick<AuditEntry, "result" | "before" | "after">;

/** The partition of a month: `2026-11`. */
const partitionOf = (month: string): string => joined("audit", month);

/** Stores the entry of a change. @returns a function that completes it */
export async function logChange(db: Database, begun: Begun): Promise<(ended: Ended) => Promise<void>> {
  const at = new Date().toISOString();
  const key = { pk: partitionOf(at.slice(0, 7)), sk: joined(at, randomUUID()) };
  const expires_at = secondsAfter(at, retentionDays);
  await transact(db, [
    {
      kind: "insert",
      table,
      item: { ...key, at, ...begun, expires_at },
      neverFails: true,
      traced: true,
    },
  ]);
  return (ended) => {
    const fields = Object.entries({ ...ended, ended_at: new Date().toISOString() });
    const set = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    return transact(db, [{ kind: "change", table, key, set, when: [] }]);
  };
}

/** Entries from the newest to the oldest. */
export async function* changesLogged(db: Database): AsyncGenerator<AuditEntry, void> {
  const now = new Date();
  for (let back = 0; back < retentionMonths; back += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
      .toISOString()
      .slice(0, 7);
    const range = { table, pk: partitionOf(month), direction: "desc" } as const;
    for await (const items of queryPages(db, range, pageSize))
      yield* items.map((item) => z.parse(auditEntry, item));
  }
}
