/**
 * The function of a custom resource, which CloudFormation calls before it deploys any other code of a
 * release.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import * as z from "zod/mini";
import { layouts } from "../shared/runtime/data-layouts.ts";
import { connect } from "../shared/store/dynamodb/database.ts";
import { recordDeployment } from "./data-model/record-deployment.ts";

/**
 * The properties of the resource, as texts. In a rollback, they are those of the previous release, whichever
 * release's code runs.
 */
const properties = z.object({
  Release: z.string(),
  Layout: z.coerce.number(),
  OldestLayout: z.coerce.number(),
  /** Set by releases that can read a later layout than they write. */
  NewestLayout: z.optional(z.coerce.number()),
  /** Missing in release 1.0.0. */
  Indexes: z.optional(z.array(z.string())),
});

/** Milliseconds that new permissions may take to become effective. */
const retryBudget = 40_000;

/** Always answers CloudFormation: without an answer, it waits until its timeout. */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const { LogicalResourceId, RequestId, StackId, RequestType } = event;
  const PhysicalResourceId = "PhysicalResourceId" in event ? event.PhysicalResourceId : LogicalResourceId;
  const common = { LogicalResourceId, RequestId, StackId, PhysicalResourceId };
  try {
    // The record stays with the data when the stack is deleted.
    if (RequestType !== "Delete") await record(event.ResourceProperties);
    await answer(event, { ...common, Status: "SUCCESS" });
  } catch (error) {
    const Reason = error instanceof Error ? error.message : String(error);
    await answer(event, { ...common, Status: "FAILED", Reason });
  }
};

async function record(stated: unknown): Promise<void> {
  const { Release: release, Layout: current, OldestLayout: oldest, ...more } = z.parse(properties, stated);
  const { NewestLayout: newest = current, Indexes: indexes = [] } = more;
  const db = connect(process.env, {}, layouts);
  for (const until = Date.now() + retryBudget; ; ) {
    try {
      return await recordDeployment(db, { release, current, oldest, newest, indexes });
    } catch (error) {
      const isDenied = error instanceof Error && error.name === "AccessDeniedException";
      if (!isDenied || Date.now() > until) throw error;
      await sleep(2_000);
    }
  }
}

/** CloudFormation signs the address for a request without a content type. */
async function answer({ ResponseURL }: CloudFormationCustomResourceEvent, body: object): Promise<void> {
  const headers = { "content-type": "" };
  const { ok, status } = await fetch(ResponseURL, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`CloudFormation rejected the answer with status ${status}`);
}
