import type { DatabaseServer } from "./data/dynamodb.ts";
import type { LogLine, Printing } from "./functions/logs.ts";
import type { Call, CallSummary } from "./proxy/calls.ts";
import type { Fault, FaultRule } from "./proxy/faults.ts";
import type { Allowance } from "./proxy/iam.ts";

/** Options that `renew` can change while the runtime runs. */
export interface Tuning {
  /**
   * Whether messages that failed are received again at once, not when their visibility timeout has run out;
   * false by default.
   */
  readonly redeliversAtOnce?: boolean | undefined;
  /** How many events one function works on at once; 4 by default. */
  readonly instancesPerFunction?: number | undefined;
  /**
   * Whether tables have streams, and functions are called with their changes; true by default. A table that
   * was created without a stream gets one at the next start with streams.
   */
  readonly streams?: boolean | undefined;
  /** Whether schedules run by the clock; true by default. `runSchedule` runs them without it, too. */
  readonly schedules?: boolean | undefined;
}

/** How a runtime is renewed. */
export interface Renewal extends Tuning {
  /**
   * The short names of functions that start cold; none by default. Their instances end. Of other functions,
   * only busy instances end.
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
   * Which log lines of the functions are printed, on standard error or, as `json`, on standard output;
   * `nothing` by default. `logs()` has all of them.
   */
  readonly printing?: Printing;
  /**
   * The maximum number of instances of all functions together; 12 by default. Beyond it, the instance that
   * was idle longest ends, and its function may start cold at its next call. The maximum is exceeded only
   * while all instances are busy.
   */
  readonly liveInstances?: number;
  /** The folder of Node's compile cache for the functions' code; none by default. */
  readonly compileCache?: string;
  /** Variables that all functions have besides those of their templates; none by default. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The folder of a function's newest code, asked before each of its events by its short name. Another folder
   * replaces the function's instances: busy ones end after their event. Undefined keeps the code as it is.
   */
  readonly codeOf?: (name: string) => Promise<string | undefined>;
  /** Lets functions and routes take up to a day, so that a debugger can pause them; false by default. */
  readonly isDebugged?: boolean;
  /** Begins with event sources and schedules paused. */
  readonly paused?: boolean;
  /** Fills the tables before the API listens and event sources start. A failure fails the start. */
  readonly prepare?: (dynamodb: Runtime["dynamodb"]) => Promise<void>;
  /** A DynamoDB that is starting. The runtime stops it at the end. */
  readonly database?: Promise<DatabaseServer>;
  /**
   * The endpoint of a DynamoDB that already runs, such as that of `startDatabase`; none is then started with
   * Java. By default the value of the variable `DYNAMODB_ENDPOINT`, if it is set. The tables of the runtime
   * have names of their own there, and are deleted when the runtime stops. A DynamoDB Local without
   * `-sharedDb` also keeps them in a database of their own. With a `dataDir` they keep their usual names, and
   * stay.
   */
  readonly dynamodbEndpoint?: string;
}

/**
 * One thing that a function's role allows: an action on a resource, for one kind of partition key where it is
 * bound to kinds.
 */
export interface FunctionAllowance extends Allowance {
  /** The function's short name, such as `letters/send`. */
  readonly function: string;
}

/** The deployment, running on this machine. */
export interface Runtime {
  /** Where the API is, without a slash at the end. */
  readonly url: string;
  readonly dynamodb: {
    /** DynamoDB itself, without the functions' permissions, faults and records. */
    readonly endpoint: string;
    /**
     * The access key that calls to the endpoint must name; any secret will do. `renew` may choose another.
     */
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
  /** Stores another value of a secret, as an operator would, until the runtime stops. */
  putSecret(variable: string, value: string): void;
  readonly faults: { add(rule: FaultRule): Fault; clear(): void };
  /** Where the record of calls stands now, for `calls` and `summary`. */
  mark(): number;
  /** The functions' calls to AWS services since a mark, in the order in which they ended. */
  calls(since?: number): readonly Call[];
  /**
   * What these calls cost. Add latency first, to rely on the longest chain: without, parallel calls may not
   * overlap.
   */
  summary(since?: number): CallSummary;
  /** Makes every call to an AWS service take this much longer, as a network would; 0 at first. */
  addLatency(milliseconds: number): void;
  /**
   * Whether calls record the capacity units that AWS would charge for them; not at first. They are worked out
   * from the items' sizes, because DynamoDB Local states too little. That takes up to two more requests to it
   * for each call.
   */
  recordCapacity(on: boolean): void;
  /**
   * Whether writes conflict with transactions under way, as in DynamoDB; not at first. DynamoDB Local alone
   * never raises such a conflict. A transaction is under way for as long as the latency that was added.
   */
  raiseConflicts(on: boolean): void;
  /**
   * What the functions' roles allow, and which of it was needed so far; nothing of what Lambda itself does
   * for them.
   */
  permissions(): readonly FunctionAllowance[];
  /** The functions' last log lines. */
  logs(): readonly LogLine[];
  /** The streams of tables, for tests; nothing without the option `streams`. */
  readonly streams: {
    /** Stops calling functions with changes; resolves when batches that were under way are done. */
    pause(): Promise<void>;
    resume(): void;
  };
  /** Stops event sources and schedules; resolves when batches that were under way are done. */
  pause(): Promise<void>;
  resume(): void;
  /**
   * Resolves when every queue that a function consumes is empty: nothing waits, nothing is in flight.
   * Messages that were sent with a delay are not waited for until they are due. Unless streams are paused,
   * every change is delivered, too, which never happens while a function keeps failing.
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
  /** Calls a function and gives its answer. @throws {FunctionFailure} */
  invoke(name: string, event: unknown): Promise<unknown>;
  /**
   * Holds the next events of the API until this many have arrived, or as many as a function may have
   * instances. Functions then begin to process them at the same time, in warm instances. Resolves when they
   * begin.
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
  /** Ends everything that was started; leaves no process, port or timer. */
  stop(): Promise<void>;
}
