import { expect, test } from "vitest";
import { metricsLine } from "../../shared/runtime/metrics.ts";

test("figures are logged in CloudWatch's embedded format, in the deployment's own namespace", () => {
  const line = metricsLine(
    "trial",
    [
      { by: { route: "GET /x/{id}" }, unit: "Milliseconds", values: { latency: 12 } },
      { unit: "Count", values: { requests: 1, server_errors: 0 } },
    ],
    1_767_225_600_000,
  );

  const Namespace = "OrderInventoryWarehouse/trial";
  expect(line).not.toContain("\n");
  expect(JSON.parse(line)).toEqual({
    _aws: {
      Timestamp: 1_767_225_600_000,
      CloudWatchMetrics: [
        {
          Namespace,
          Dimensions: [["service", "route"]],
          Metrics: [{ Name: "latency", Unit: "Milliseconds" }],
        },
        {
          Namespace,
          Dimensions: [["service"]],
          Metrics: [
            { Name: "requests", Unit: "Count" },
            { Name: "server_errors", Unit: "Count" },
          ],
        },
      ],
    },
    service: "trial",
    route: "GET /x/{id}",
    latency: 12,
    requests: 1,
    server_errors: 0,
  });
});
