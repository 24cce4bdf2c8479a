import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { StreamContract } from "../../shared/runtime/contract.ts";
import type { Entry } from "../catalog.ts";
import { ChangeSource } from "../constructs/change-source.ts";
import { Releases } from "../constructs/releases.ts";
import { type FunctionResources, ServiceFunction } from "../constructs/service-function.ts";

interface StreamsStackProps extends StackProps {
  readonly streams: readonly Entry<StreamContract>[];
  readonly resources: FunctionResources;
}

/**
 * The functions that consume the changes of items. They may send jobs, so this stack lies above that of the
 * queues.
 */
export class StreamsStack extends Stack {
  constructor(scope: Construct, id: string, { streams, resources, ...props }: StreamsStackProps) {
    super(scope, id, props);
    const releases = new Releases(this, resources);
    for (const entry of streams) {
      const serviceFunction = new ServiceFunction(this, entry, resources);
      const lambda = releases.release(serviceFunction);
      new ChangeSource(serviceFunction, { entry, lambda }, resources);
    }
  }
}
