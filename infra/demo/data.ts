import { layouts } from "../../shared/lambda/data-layouts.ts";
import { connect, type Database } from "../../shared/store/dynamodb/database.ts";
import { place, type Runtime } from "../local/index.ts";
import { fillWithDemoData } from "./load.ts";

/**
 * A connection to the runtime's tables that belongs to no function: permissions, faults and records don't
 * apply.
 */
export const connectTo = ({
  dynamodb: { tables, endpoint, accessKeyId },
}: Pick<Runtime, "dynamodb">): Database =>
  connect(
    tables,
    {
      endpoint,
      region: place.region,
      credentials: { accessKeyId, secretAccessKey: "local" },
    },
    layouts,
  );

/** Loads the demo data into empty tables. */
export const loadDemoData = (runtime: Runtime): Promise<void> => fillWithDemoData(connectTo(runtime));
