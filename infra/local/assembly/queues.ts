import * as z from "zod";
import { withoutUndefined } from "../json.ts";
import { LocalProblem } from "../problem.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";

const numeric = z.union([z.number(), z.string()]).transform(String);

const redrivePolicy = z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() });

const queueSchema = z.object({
  FifoQueue: z.boolean().optional(),
  VisibilityTimeout: numeric.optional(),
  DelaySeconds: numeric.optional(),
  MessageRetentionPeriod: numeric.optional(),
  ReceiveMessageWaitTimeSeconds: numeric.optional(),
  RedrivePolicy: redrivePolicy.optional(),
});

export interface QueueDefinition {
  readonly name: string;
  readonly arn: string;
  /** Where functions reach the queue. */
  readonly url: string;
  readonly visibilityTimeoutSeconds: number;
  /** The attributes for `CreateQueue`, without the redrive policy. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly redrive: z.infer<typeof redrivePolicy> | undefined;
}

/** SQS's own default. */
const defaultVisibilityTimeout = "30";

export const readQueues = (resolver: Resolver): QueueDefinition[] =>
  resolver.resources("AWS::SQS::Queue").map((resource) => {
    const { RedrivePolicy: redrive, FifoQueue: fifo, ...stated } = resolver.read(resource, queueSchema);
    if (fifo === true)
      throw new LocalProblem(`${titleOf(resource)} is a FIFO queue, which the local runtime does not run.`);
    const visibility = stated.VisibilityTimeout ?? defaultVisibilityTimeout;
    return {
      name: resolver.name(resource),
      arn: String(resolver.attribute(resource, "Arn")),
      url: String(resolver.reference(resource)),
      visibilityTimeoutSeconds: Number(visibility),
      attributes: withoutUndefined({ ...stated, VisibilityTimeout: visibility }),
      redrive,
    };
  });
