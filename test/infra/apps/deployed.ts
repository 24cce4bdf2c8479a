import { functions } from "../../../functions/index.ts";
import type { QueueName } from "../../../shared/runtime/queue-names.ts";
import { type Assembly, type Found, nameOf, oncePerAssembly, resources, text } from "./assembly.ts";
import { at, list, namesIn } from "./json.ts";

const logPrefix = /^\/aws\/lambda\/[^/]+\//;

/** The one resource for which something holds. */
export const only = (found: readonly Found[], what: string): Found => {
  const [first, ...others] = found;
  if (first === undefined || others.length > 0) throw new Error(`${found.length} resources are ${what}.`);
  return first;
};

export const logGroupOf = (assembly: Assembly, lambda: Found): Found => {
  const name = text(assembly, lambda.stack, at(lambda.properties, "LoggingConfig", "LogGroup"));
  return only(
    resources(assembly, "AWS::Logs::LogGroup").filter((group) => nameOf(group) === name),
    `the log group ${name}`,
  );
};

/** Every deployed function by the module it runs, which its log group is named after. */
export const deployedFunctions = oncePerAssembly(
  (assembly): ReadonlyMap<string, Found> =>
    new Map(
      resources(assembly, "AWS::Lambda::Function").map((lambda) => [
        String(at(logGroupOf(assembly, lambda).properties, "LogGroupName")).replace(logPrefix, ""),
        lambda,
      ]),
    ),
);

export const deployedFunction = (assembly: Assembly, key: string): Found => {
  const lambda = deployedFunctions(assembly).get(key);
  if (lambda === undefined) throw new Error(`"${key}" is not deployed.`);
  return lambda;
};

/** The alias of a function that new code is tried out behind. */
export const aliasOf = (assembly: Assembly, lambda: Found): Found | undefined =>
  resources(assembly, "AWS::Lambda::Alias").find(
    (alias) => text(assembly, alias.stack, at(alias.properties, "FunctionName")) === nameOf(lambda),
  );

/** Whether a property of `from` holds the ARN or the name of a function, or of its alias where it has one. */
export const isFunction = (assembly: Assembly, lambda: Found, from: Found, property: string): boolean => {
  const held = text(assembly, from.stack, at(from.properties, property)).replace(/\.Arn$|:live$/, "");
  return held === nameOf(aliasOf(assembly, lambda) ?? lambda);
};

/** What feeds the worker of a kind. */
export const eventSourceOf = (assembly: Assembly, kind: QueueName): Found => {
  const worker = Object.entries(functions).find(
    ([, { type, ...rest }]) => type === "worker" && "job" in rest && rest.job === kind,
  );
  const lambda = deployedFunction(assembly, worker?.[0] ?? "");
  return only(
    resources(assembly, "AWS::Lambda::EventSourceMapping").filter((source) =>
      isFunction(assembly, lambda, source, "FunctionName"),
    ),
    `the event source of "${kind}"`,
  );
};

/** The queue that the worker of a kind consumes. */
export const queueOf = (assembly: Assembly, kind: QueueName): Found => {
  const source = eventSourceOf(assembly, kind);
  const arn = text(assembly, source.stack, at(source.properties, "EventSourceArn"));
  return only(
    resources(assembly, "AWS::SQS::Queue").filter((queue) => `${nameOf(queue)}.Arn` === arn),
    `the queue of "${kind}"`,
  );
};

/** Whether a queue takes nothing that is sent unencrypted. */
export const refusesPlainHttp = (assembly: Assembly, queue: Found): boolean =>
  resources(assembly, "AWS::SQS::QueuePolicy")
    .filter(({ stack, properties }) =>
      list(at(properties, "Queues")).some((one) => text(assembly, stack, one) === nameOf(queue)),
    )
    .flatMap(({ properties }) => list(at(properties, "PolicyDocument", "Statement")))
    .some(
      (statement) =>
        at(statement, "Effect") === "Deny" &&
        at(statement, "Condition", "Bool", "aws:SecureTransport") === "false",
    );

export const tableOf = (assembly: Assembly, name: string): Found =>
  only(
    resources(assembly, "AWS::DynamoDB::GlobalTable").filter(
      ({ id }) => id.replace(/[0-9A-F]{8}$/, "") === name,
    ),
    `the table "${name}"`,
  );

/**
 * Everything a function's role allows, as `action on resource`. Policies say it plainly: allow, actions,
 * resources.
 */
export const permissionsOf = (assembly: Assembly, lambda: Found): string[] => {
  const role = text(assembly, lambda.stack, at(lambda.properties, "Role")).replace(/\.Arn$/, "");
  return resources(assembly, "AWS::IAM::Policy")
    .filter(({ stack, properties }) =>
      list(at(properties, "Roles")).some((attached) => text(assembly, stack, attached) === role),
    )
    .flatMap(({ stack, properties }) =>
      list(at(properties, "PolicyDocument", "Statement")).flatMap((statement) => {
        const names = namesIn(statement).filter((name) => name !== "Condition");
        if (names.sort().join() !== "Action,Effect,Resource" || at(statement, "Effect") !== "Allow") {
          throw new Error(`Not a plain statement: ${JSON.stringify(statement)}`);
        }
        const condition = at(statement, "Condition");
        const provided = condition === undefined ? "" : ` if ${JSON.stringify(condition)}`;
        return list(at(statement, "Action")).flatMap((action) =>
          list(at(statement, "Resource")).map((on) => `${action} on ${text(assembly, stack, on)}${provided}`),
        );
      }),
    )
    .sort();
};
