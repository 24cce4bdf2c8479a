/**
 * Metrics for CloudWatch, in lines of the log (the embedded metric format). CloudWatch charges each name with
 * each set of dimensions by the hour in which it is sent, so few metrics are sent by route.
 */
import { writeLine } from "./log.ts";
import { deploymentVariable, metricsNamespace } from "./shared-names.ts";

/** Figures of one unit and one set of dimensions, besides the deployment's name. */
export interface Figures {
  readonly by?: Readonly<Record<string, string>>;
  readonly unit: "Count" | "Milliseconds";
  readonly values: Readonly<Record<string, number>>;
}

/** The line with figures of a time, in milliseconds since 1970. */
export const metricsLine = (deployment: string, figures: readonly Figures[], time: number): string =>
  JSON.stringify({
    _aws: {
      Timestamp: time,
      CloudWatchMetrics: figures.map(({ by = {}, unit, values }) => ({
        Namespace: metricsNamespace(deployment),
        Dimensions: [["service", ...Object.keys(by)]],
        Metrics: Object.keys(values).map((Name) => ({ Name, Unit: unit })),
      })),
    },
    service: deployment,
    ...Object.assign({}, ...figures.map(({ by, values }) => ({ ...by, ...values }))),
  });

export const sendMetrics = (...figures: readonly Figures[]): void =>
  writeLine(metricsLine(process.env[deploymentVariable] ?? "unknown", figures, Date.now()));
