/** Logs Insights queries that the runbooks in docs/operators/incidents.md name. A test compares the two. */

interface Query {
  /** Its logical id. */
  readonly id: string;
  /** Its name below that of the deployment. */
  readonly name: string;
  readonly text: string;
}

export const queries: readonly Query[] = [
  {
    id: "MonitorQuery",
    name: "failing monitor",
    text: 'filter message = "monitor failed" | fields @timestamp, error.message, error.cause.code | sort @timestamp desc | limit 20',
  },
  {
    id: "ErrorsQuery",
    name: "errors by function",
    text: 'filter level = "ERROR" | stats count(*) as errors by function_name, message | sort errors desc',
  },
  {
    id: "LatestErrorsQuery",
    name: "latest errors",
    text: 'filter level = "ERROR" | fields @timestamp, function_name, message, error.message | sort @timestamp desc | limit 50',
  },
  {
    id: "CallQuery",
    name: "what a call caused",
    text: 'filter @message like "REQUEST_ID" | fields @timestamp, function_name, message, route, status, job_id, records.0, deliveries.0.status | sort @timestamp',
  },
  {
    id: "SlowQuery",
    name: "latency by route",
    text: 'filter message = "request" | stats pct(duration_ms, 99), count(*) by route, bin(5m)',
  },
  {
    id: "BusyQuery",
    name: "busy calls",
    text: 'filter message = "busy" | stats count(*) as calls by function_name, actor, error.name | sort calls desc',
  },
  {
    id: "RefusedQuery",
    name: "429 by source",
    text: 'filter status = "429" | stats count(*) as calls by source, route | sort calls desc',
  },
  {
    id: "CredentialsQuery",
    name: "401 by source",
    text: 'filter status = "401" | stats count(*) as calls by source, route | sort calls desc',
  },
  {
    id: "JobsQuery",
    name: "failing jobs",
    text: 'filter level in ["ERROR", "WARN"] | fields @timestamp, message, job_id, error.message | sort @timestamp desc | limit 50',
  },
  {
    id: "LateQuery",
    name: "changes not handled",
    text: 'filter message like "changes not handled" | fields @timestamp, message, error.message | sort @timestamp desc | limit 20',
  },
  {
    id: "SetAsideQuery",
    name: "changes set aside",
    text: 'filter message like "set aside" | fields @timestamp, table, key.pk, key.sk, reason | sort @timestamp desc',
  },
  {
    id: "WebhooksQuery",
    name: "disabled webhooks",
    text: 'filter message = "webhook switched off" | fields @timestamp, account_id, webhook_id, reason, host',
  },
];
