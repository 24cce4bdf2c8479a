import { Metric, type MetricProps } from "aws-cdk-lib/aws-cloudwatch";
import { metricsNamespace } from "../../shared/runtime/shared-names.ts";

/** A metric that a deployment's functions emit, with the dimensions of `shared/runtime/metrics.ts`. */
export const deploymentMetric = (
  deployment: string,
  {
    by = {},
    ...props
  }: Omit<MetricProps, "namespace" | "dimensionsMap"> & { readonly by?: Record<string, string> },
): Metric =>
  new Metric({
    ...props,
    namespace: metricsNamespace(deployment),
    dimensionsMap: { service: deployment, ...by },
  });
