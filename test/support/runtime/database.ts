import type { TestProject } from "vitest/node";
import { startDatabase } from "../../../infra/local/index.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The one DynamoDB of this run; every runtime has a database of its own there. */
    dynamodbEndpoint: string;
  }
}

/** Starts DynamoDB Local once a run: starting takes seconds, and it grows faster with every call. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await startDatabase({ longLived: true });
  project.provide("dynamodbEndpoint", database.endpoint);
  return () => database.stop();
}
