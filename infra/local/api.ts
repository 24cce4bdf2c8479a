import type { Database } from "./data/dynamodb.ts";
import type { LogLine, Printing } from "./functions/logs.ts";
import type { Call, CallSummary } from "./proxy/calls.ts";
import type { Fault, FaultRule } from "./proxy/faults.ts";

export interface RuntimeOptions {
  /** The folder that `cdk synth` wrote. */
  readonly assembly: string;
  /** Where the API listens, on this machine only; 0, the default, chooses a free port. */
  readonly port?: number;
  /** Keeps the data; they stay in memory without one. */
  readonly dataDir?: string;
  /** Replaces that of all queues, so that tests need not wait for a failed message. */
  readonly visibilityTimeoutSeconds?: number;
  /** What the functions' logs print on standard error; `nothing` by default. All of it is kept for `logs()`. */
  readonly printing?: Printing;
  /** How many events one function works on at once; 4 by default. */
  readonly instancesPerFunction?: number;
  /** Begins with event sources and schedules paused. */
  readonly paused?: boolean;
  /** A DynamoDB whose start is under way; the runtime stops it at the end. */
  readonly database?: Promise<Database>;
  /**
   * A DynamoDB that already runs, such as that of `startDatabase`, instead of one started with Java. The runtime's
   * tables have names of their own there, and are deleted when it stops; with a `dataDir` they keep their names and
   * stay. By default that of the variable `DYNAMODB_ENDPOINT`, if it is set.
   */
  readonly dynamodbEndpoint?: string;
}

/** The deployment, running on this machine. */
export interface Runtime {
  /** Where the API is, without a slash at the end. */
  readonly url: string;
  readonly dynamodb: {
    /** DynamoDB itself, without the functions' permissions, faults and records. */
    readonly endpoint: string;
    /** Names of the tables by the environment variable that holds them, such as `TABLE_ORDERS`. */
    readonly tables: Readonly<Record<string, string>>;
    /** Whether the data of an earlier start were found. */
    readonly kept: boolean;
  };
  readonly sqs: {
    /** The queue server itself, like the endpoint of DynamoDB. */
    readonly endpoint: string;
    /** URLs by the environment variable that holds them, such as `QUEUE_RECOUNT`. */
    readonly queues: Readonly<Record<string, string>>;
    /** URL of the dead-letter queue behind each of them, by the same variable. */
    readonly deadLetterQueues: Readonly<Record<string, string>>;
  };
  /** Values of the secrets by the environment variable that names them, such as `SECRET_SIGNING`. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly faults: { add(rule: FaultRule): Fault; clear(): void };
  /** Where the record of calls stands now, for `calls` and `summary`. */
  mark(): number;
  /** The functions' calls to AWS services since a mark, in the order in which they ended. */
  calls(since?: number): readonly Call[];
  /** What they cost. For a chain that can be relied on, add latency before: else calls at once may miss each other. */
  summary(since?: number): CallSummary;
  /** Lets every call to an AWS service take that much longer, as a network would; 0 at first. */
  addLatency(milliseconds: number): void;
  /** Whether calls record the capacity they consume; not at first. */
  recordCapacity(on: boolean): void;
  /**
   * Whether writes conflict with transactions under way, as in DynamoDB; DynamoDB Local never says so. Not at first.
   * The latency that was added is the time that a transaction is under way.
   */
  raiseConflicts(on: boolean): void;
  /** The functions' last log lines. */
  logs(): readonly LogLine[];
  /** Stops event sources and schedules; resolves when batches that were under way are done. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when every queue that a function consumes is empty: nothing waits, nothing is in flight. */
  settled(): Promise<void>;
  /** Runs a scheduled function now. The name is that of its file below `functions/`, such as `jobs/sweep-jobs`. */
  runSchedule(name: string): Promise<void>;
  /** Calls a function and gives its answer. @throws {FunctionFailure} */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Ends everything that was started; leaves no process, port or timer. */
  stop(): Promise<void>;
}
