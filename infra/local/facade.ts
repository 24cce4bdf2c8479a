import type { Runtime } from "./api.ts";
import { byVariable, type Deployment } from "./assembly/deployment.ts";
import { findFunction } from "./assembly/functions.ts";
import { parseJson } from "./json.ts";
import { LocalProblem } from "./problem.ts";
import { summarize } from "./proxy/calls.ts";
import { type Parts, renew } from "./renew.ts";

type Places = Pick<Runtime, "url" | "sqs" | "secrets" | "putSecret"> & {
  readonly dynamodb: Omit<Runtime["dynamodb"], "accessKeyId">;
};

/** Assembles the runtime from its parts. */
export const runtimeOf = (places: Places, parts: Parts): Runtime => {
  const { logs, cleanup } = parts;
  const { fleet, proxy } = parts.common;
  return {
    ...places,
    get dynamodb() {
      return { ...places.dynamodb, accessKeyId: parts.session.accessKeyId };
    },
    faults: {
      add: (rule) => {
        const named = rule.function === undefined ? undefined : findFunction(fleet.functions, rule.function);
        const tableName = rule.table && (places.dynamodb.tables[rule.table] ?? rule.table);
        return proxy.faults.add({ ...rule, functionName: named?.definition.functionName, tableName });
      },
      clear: () => proxy.faults.clear(),
    },
    mark: () => proxy.calls.mark(),
    calls: (since) => proxy.calls.since(since),
    summary: (since) => summarize(proxy.calls.since(since)),
    recordCapacity: (on) => {
      proxy.recordsCapacity = on;
    },
    addLatency: (milliseconds) => {
      proxy.latencyMs = milliseconds;
    },
    raiseConflicts: (on) => {
      proxy.raisesConflicts = on;
    },
    permissions: () =>
      fleet.functions.flatMap(({ definition }) =>
        definition.permissions.allowances().map((allowance) => ({ function: definition.name, ...allowance })),
      ),
    logs: () => logs.all(),
    streams: {
      pause: () => parts.session.sources.pauseStreams(),
      resume: () => parts.session.sources.resumeStreams(),
    },
    pause: () => parts.session.sources.pause(),
    resume: () => parts.session.sources.resume(),
    settled: () => parts.session.sources.settled(),
    requestsDone: () => proxy.quiet(),
    runSchedule: (name) => parts.session.sources.runSchedule(name),
    invoke: async (name, event) => parseJson(await fleet.call(name, event)),
    meet: (count) => fleet.meet(count),
    renew: (renewal = {}) => renew(parts, renewal),
    stop: () => cleanup.run(),
  };
};

/** Tables by the environment variables that name them. */
export const tablesOf = ({ functions, tables }: Deployment): Readonly<Record<string, string>> =>
  byVariable(functions, new Set(tables.map(({ TableName }) => TableName)));

/** Secrets by the environment variables that name them. */
export function secretsOf(
  { functions }: Deployment,
  values: Map<string, string>,
): Pick<Runtime, "secrets" | "putSecret"> {
  const arns = byVariable(functions, new Set(values.keys()));
  return {
    secrets: Object.fromEntries(
      Object.entries(arns).map(([variable, arn]) => [variable, values.get(arn) ?? ""]),
    ),
    putSecret: (variable, value) => {
      const arn = arns[variable];
      if (arn === undefined) throw new LocalProblem(`No variable "${variable}" names a secret.`);
      values.set(arn, value);
    },
  };
}

/** Queues, and their dead-letter queues, by the variable that names the queue. */
export const queuesOf = (
  { functions, queues }: Deployment,
  endpoint: string,
): Pick<Runtime["sqs"], "queues" | "deadLetterQueues"> => {
  const own: Record<string, string> = {};
  const behind: Record<string, string> = {};
  const direct = (url: string): string => `${endpoint}${new URL(url).pathname}`;
  for (const [variable, url] of Object.entries(
    byVariable(functions, new Set(queues.map((queue) => queue.url))),
  )) {
    const redrive = queues.find((queue) => queue.url === url)?.redrive;
    const deadLetters = queues.find((queue) => queue.arn === redrive?.deadLetterTargetArn);
    own[variable] = direct(url);
    if (deadLetters !== undefined) behind[variable] = direct(deadLetters.url);
  }
  return { queues: own, deadLetterQueues: behind };
};
