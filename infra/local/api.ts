import type { DatabaseServer } from "./data/dynamodb.ts";
import type { LogLine, Printing } from "./functions/logs.ts";
import type { Call, CallSummary } from "./proxy/calls.ts";
import type { Fault, FaultRule } from "./proxy/faults.ts";
import type { Allowance } from "./proxy/iam.ts";

/** Options that `renew` can change while the runtime runs. */
export interface Tuning {
  /**
   * Whether failed messages are received again at once, without waiting for their visibility timeout; false
   * by default.
   */
  readonly redeliversAtOnce?: boolean | undefined;
  /** The number of events that one function handles concurrently; 4 by default. */
  readonly instancesPerFunction?: number | undefined;
  /**
   * Whether tables have streams, and functions are called with their changes; true by default. A table that
   * was created without a stream gets one at the next start with streams.
   */
  readonly streams?: boolean | undefined;
  /** Whether schedules run automatically; true by default. `runSchedule` runs them in either case. */
  readonly schedules?: boolean | undefined;
}

/** How to renew a runtime. */
export interface Renewal extends Tuning {
  /**
   * The short names of functions that start cold; none by default. All of their instances end. Of other
   * functions, only busy instances end.
   */
  readonly cold?: ReadonlySet<string>;
}

export interface RuntimeOptions extends Tuning {
  /** The folder that `cdk synth` wrote. */
  readonly assembly: string;
  /** Where the API listens, on this machine only; 0, the default, chooses a free port. */
  readonly port?: number;
  /** The folder that keeps the data. Without one, the data stay in memory. */
  readonly dataDir?: string;
  /**
   * Which log lines of the functions are printed on standard error or, as `json`, on standard output;
   * `nothing` by default. `logs()` returns all of them.
   */
  readonly printing?: Printing;
  /**
   * The maximum number of instances of all functions together; 12 by default. Beyond it, the instance that
   * has been idle longest ends, and its function may start cold at its next call. The maximum is exceeded
   * only while all instances are busy.
   */
  readonly liveInstances?: number;
  /** The folder of Node's compile cache for the functions' code; none by default. */
  readonly compileCache?: string;
  /** Variables that all functions have in addition to those of their templates; none by default. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The folder of a function's newest code, looked up by the function's short name before each event. Another
   * folder replaces the function's instances: busy ones end after their event. Undefined keeps the code.
   */
  readonly codeOf?: (name: string) => Promise<string | undefined>;
  /** Lets functions and routes take up to a day, so that a debugger can pause them; false by default. */
  readonly isDebugged?: boolean;
  /** Starts with event sources and schedules paused. */
  readonly paused?: boolean;
  /** Fills the tables before the API listens and event sources start. A failure fails the start. */
  readonly prepare?: (dynamodb: Runtime["dynamodb"]) => Promise<void>;
  /** A DynamoDB that is starting. The runtime stops it at the end. */
  readonly database?: Promise<DatabaseServer>;
  /**
   * The endpoint of a running DynamoDB, such as that of `startDatabase`; none is then started with Java. By
   * default the value of the variable `DYNAMODB_ENDPOINT`, if it is set. The tables of the runtime have names
   * of their own there, and are deleted when the runtime stops. A DynamoDB Local without `-sharedDb` also
   * keeps them in a separate database. With a `dataDir` they keep their usual names, and are not deleted.
   */
  readonly dynamodbEndpoint?: string;
}

/**
 * One thing that a function's role allows: an action on a resource and, if it is limited to kinds, one kind
 * of partition key.
 */
export interface FunctionAllowance extends Allowance {
  /** The function's short name, such as `letters/send`. */
  readonly function: string;
}

/** The deployment, running on this machine. */
export interface Runtime {
  /** The URL of the API, without a trailing slash. */
  readonly url: string;
  readonly dynamodb: {
    /** DynamoDB itself, without the functions' permissions, faults and records. */
    readonly endpoint: string;
    /** The access key for calls to the endpoint; any secret will do. `renew` may choose another key. */
    readonly accessKeyId: string;
    /** Names of the tables by the environment variable that holds them, such as `TABLE_THINGS`. */
    readonly tables: Readonly<Record<string, string>>;
  };
  readonly sqs: {
    /** The queue server itself, like the endpoint of DynamoDB. */
    readonly endpoint: string;
    /** URLs by the environment variable that holds them, such as `QUEUE_LETTERS`. */
    readonly queues: Readonly<Record<string, string>>;
    /** URL of the dead-letter queue behind each of them, by the same variable. */
    readonly deadLetterQueues: Readonly<Record<string, string>>;
  };
  /** Values of the secrets by the environment variable that names them, such as `SECRET_SEAL`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Sets another value of a secret, as an operator would, until the runtime stops. */
  putSecret(variable: string, value: string): void;
  readonly faults: { add(rule: FaultRule): Fault; clear(): void };
  /** The current position in the record of calls, for `calls` and `summary`. */
  mark(): number;
  /** The functions' calls to AWS services since a mark, in the order in which they ended. */
  calls(since?: number): readonly Call[];
  /**
   * What these calls cost. Add latency first, so that the longest chain is reliable: without it, parallel
   * calls may not overlap.
   */
  summary(since?: number): CallSummary;
  /** Makes every call to an AWS service take this much longer, as a network would; 0 at first. */
  addLatency(milliseconds: number): void;
  /**
   * Whether calls record the capacity units that AWS would charge for them; false at first. They are computed
   * from the items' sizes, because DynamoDB Local reports too little. That takes up to two more requests for
   * each call.
   */
  recordCapacity(on: boolean): void;
  /**
   * Whether writes conflict with transactions in progress, as in DynamoDB; false at first. DynamoDB Local
   * never raises such a conflict. A transaction is in progress for as long as the added latency.
   */
  raiseConflicts(on: boolean): void;
  /** What the functions' roles allow and which of it was used so far, except for what Lambda itself does. */
  permissions(): readonly FunctionAllowance[];
  /** The functions' latest log lines. */
  logs(): readonly LogLine[];
  /** The streams of tables, for tests; without the option `streams`, this does nothing. */
  readonly streams: {
    /** Stops calling functions with changes. Resolves when running batches are done. */
    pause(): Promise<void>;
    resume(): void;
  };
  /** Stops event sources and schedules. Resolves when running batches are done. */
  pause(): Promise<void>;
  resume(): void;
  /**
   * Resolves when every queue that a function consumes is empty: no message is waiting or in flight. Delayed
   * messages are not waited for until they are due. Unless streams are paused, every change is delivered as
   * well, which never happens while a function keeps failing.
   */
  settled(): Promise<void>;
  /**
   * Resolves when the requests that functions have sent so far are done. A request may outlast its instance.
   */
  requestsDone(): Promise<void>;
  /**
   * Runs a scheduled function now. Its name is the end of the name of its log group, such as
   * `letters/clean-up`.
   */
  runSchedule(name: string): Promise<void>;
  /**
   * Calls a function and returns its answer.
   * @throws {FunctionFailure}
   */
  invoke(name: string, event: unknown): Promise<unknown>;
  /**
   * Holds the next events of the API until this many have arrived, or as many as a function may have
   * instances. Functions then start to process them at the same time, in warm instances. Resolves when they
   * start.
   * @throws {Problem} if the events do not arrive within 10 seconds, or before `renew`, `stop` or another
   * `meet`; those that arrived continue
   */
  meet(count: number): Promise<void>;
  /**
   * Has the effect of a new start with this tuning, but is much faster: empty tables and queues, no faults,
   * no latency, no calls, no logs, and paused event sources. Idle instances stay warm and keep the state of
   * their modules, unless they are to start cold. Only for a runtime with a `dynamodbEndpoint` and no
   * `dataDir`.
   */
  renew(renewal?: Renewal): Promise<void>;
  /** Stops everything that was started. No process, port or timer is left. */
  stop(): Promise<void>;
}
