import type { Conditions, Statement } from "../assembly/grants.ts";

/** An action on a resource, such as `dynamodb:PutItem` on a table's ARN. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
  /** The values that the request has for IAM's condition keys, such as `dynamodb:ReturnValues`. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
}

/** A part of what a statement allows: one action on one resource, for one of the `leadingKeys`, if any. */
export interface Allowance {
  readonly action: string;
  readonly resource: string;
  readonly leadingKeys?: string;
  /** Whether a request has used it so far. */
  readonly used: boolean;
}

/** The key of IAM that holds the partition keys that a request names. */
export const leadingKeys = "dynamodb:LeadingKeys";

/** Decides as IAM does: at least one statement must allow the permission. */
export const isAllowed = (statements: readonly Statement[], permission: Permission): boolean =>
  statements.some((statement) => concerns(statement, permission));

const concerns = (statement: Statement, { action, resource, keys = {} }: Permission): boolean =>
  statement.actions.some((pattern) => isAction(pattern, action)) &&
  statement.resources.some((pattern) => matches(pattern, resource)) &&
  holds(statement.conditions, keys);

const isAction = (pattern: string, action: string): boolean =>
  matches(pattern.toLowerCase(), action.toLowerCase());

/** Whether an operator holds for the values that a request has for a key; none if the key is missing. */
type Operator = (stated: readonly string[], values: readonly string[]) => boolean;

const isAmong: Operator = (stated, values) => stated.every((value) => values.includes(value));

const operators: readonly (readonly [keyof Conditions, Operator])[] = [
  ["StringEquals", (stated, values) => stated.length > 0 && isAmong(stated, values)],
  ["StringEqualsIfExists", isAmong],
  [
    "ForAllValues:StringLike",
    (stated, patterns) => stated.every((value) => patterns.some((pattern) => matches(pattern, value))),
  ],
  ["Null", (stated, [isAbsent]) => (stated.length === 0) === (isAbsent === "true")],
];

const holds = (conditions: Conditions, keys: NonNullable<Permission["keys"]>): boolean =>
  operators.every(([name, operator]) =>
    Object.entries(conditions[name] ?? {}).every(([key, values]) => operator(keys[key] ?? [], values)),
  );

/** The compiled patterns of statements: a function has few, and checks them at each request. */
const compiled = new Map<string, RegExp>();

/** `*` stands for any characters, `?` for any one. */
const matches = (pattern: string, text: string): boolean => {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const known =
    compiled.get(pattern) ?? new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
  compiled.set(pattern, known);
  return known.test(text);
};

/** What a role grants, and which of it was used. */
export class Permissions {
  readonly #statements: readonly Statement[];
  readonly #used = new Set<string>();

  constructor(statements: readonly Statement[]) {
    this.#statements = statements;
  }

  /** The first permission that is not granted, if any. Granted ones count as used, unless one is missing. */
  missing(permissions: readonly Permission[]): Permission | undefined {
    const missing = permissions.find((permission) => !isAllowed(this.#statements, permission));
    if (missing === undefined) for (const permission of permissions) this.#use(permission);
    return missing;
  }

  /** Everything that the role allows. */
  allowances(): readonly Allowance[] {
    return this.#statements.flatMap((statement, position) =>
      partsOf(statement).map((part) => ({ ...part, used: this.#used.has(nameOf(position, part)) })),
    );
  }

  #use(permission: Permission): void {
    for (const [position, statement] of this.#statements.entries()) {
      if (!concerns(statement, permission)) continue;
      for (const part of partsOf(statement)) {
        if (!isAction(part.action, permission.action) || !matches(part.resource, permission.resource))
          continue;
        const named = permission.keys?.[leadingKeys] ?? [];
        const { leadingKeys: kind } = part;
        if (kind === undefined || named.some((key) => matches(kind, key)))
          this.#used.add(nameOf(position, part));
      }
    }
  }
}

type Part = Omit<Allowance, "used">;

const nameOf = (position: number, { action, resource, leadingKeys: kind = "" }: Part): string =>
  JSON.stringify([position, action, resource, kind]);

const partsOf = ({ actions, resources, conditions }: Statement): readonly Part[] =>
  actions.flatMap((action) =>
    resources.flatMap((resource): readonly Part[] => {
      const kinds = conditions["ForAllValues:StringLike"]?.[leadingKeys];
      return kinds === undefined
        ? [{ action, resource }]
        : kinds.map((kind) => ({ action, resource, leadingKeys: kind }));
    }),
  );
