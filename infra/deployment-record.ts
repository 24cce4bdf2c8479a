/**
 * The function of a custom resource, which CloudFormation calls before any other code of a release is
 * deployed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import * as z from "zod/mini";
import { layouts } from "../shared/runtime/data-layouts.ts";
import { connect } from "../shared/store/dynamodb/database.ts";
import { recordDeployment } from "./data-model/record-deployment.ts";

/**
 * The properties of the resource, as texts. A rollback names those of the release before, whichever code
 * carries it out.
 */
const properties = z.object({
  Release: z.string(),
  Layout: z.coerce.number(),
  OldestLayout: z.coerce.number(),
  /** Stated by releases that can read a later layout than they write. */
  NewestLayout: z.optional(z.coerce.number()),
  /** Release 1.0.0 does not state them. */
  Indexes: z.optional(z.array(z.string())),
});

/** How long permissions may take to hold after they were granted, in milliseconds. */
const retryBudget = 40_000;

/** Answers CloudFormation, whatever happens: without an answer, it waits until its timeout. */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const { LogicalResourceId, RequestId, StackId, RequestType } = event;
  const PhysicalResourceId = "PhysicalResourceId" in event ? event.PhysicalResourceId : LogicalResourceId;
  const common = { LogicalResourceId, RequestId, StackId, PhysicalResourceId };
  try {
    // What is recorded stays with the data, which stay as well.
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
  if (!ok) throw new Error(`CloudFormation took no answer: status ${status}`);
}
