import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";

/** The names of tables that can't be reached, as the shell's variables. */
export const tablesOfNowhere = Object.fromEntries(
  tableNames.map((name) => [tableSchemas[name].variable, name]),
);

/** A connection to tables that can't be reached. The check of their layout is skipped. */
const unreachable = connect(tablesOfNowhere, {
  region: "us-east-1",
  endpoint: "http://127.0.0.1:1",
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
  maxAttempts: 1,
});

export const nowhere: Database = {
  ...unreachable,
  layouts: { ...unreachable.layouts, check: async () => undefined },
};
