import type { FunctionDefinition } from "../assembly/functions.ts";
import type { Statement } from "../assembly/grants.ts";

/** An action on a resource, such as `dynamodb:PutItem` on a table's ARN. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
  /** What conditions may ask for: IAM's keys that the request has, such as `dynamodb:ReturnValues`. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Decides as IAM does: at least one statement must allow the permission, and none may deny it. */
export const isAllowed = (statements: readonly Statement[], permission: Permission): boolean => {
  const concerned = statements.filter((statement) => concerns(statement, permission));
  return concerned.length > 0 && concerned.every(({ effect }) => effect === "Allow");
};

const concerns = (
  { actions, resources, ifExists }: Statement,
  { action, resource, keys = {} }: Permission,
): boolean =>
  actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
  resources.some((pattern) => matches(pattern, resource)) &&
  Object.entries(ifExists).every(([key, values]) => {
    const value = keys[key];
    return value === undefined || values.includes(value);
  });

/** `*` stands for any characters, `?` for any one. */
const matches = (pattern: string, text: string): boolean => {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
};

/** What a role grants. Decisions are remembered, since a function asks for the same few permissions again and again. */
export class Permissions {
  readonly #statements: readonly Statement[];
  readonly #decided = new Map<string, boolean>();

  constructor(statements: readonly Statement[]) {
    this.#statements = statements;
  }

  /** The first permission that is not granted, if any. */
  missing(permissions: readonly Permission[]): Permission | undefined {
    return permissions.find((permission) => !this.#allows(permission));
  }

  #allows(permission: Permission): boolean {
    const key = JSON.stringify(permission);
    const known = this.#decided.get(key);
    if (known !== undefined) return known;
    const decision = isAllowed(this.#statements, permission);
    this.#decided.set(key, decision);
    return decision;
  }
}

const known = new WeakMap<FunctionDefinition, Permissions>();

/** The permissions of a function, always the same object. */
export const permissionsOf = (definition: FunctionDefinition): Permissions => {
  const permissions = known.get(definition) ?? new Permissions(definition.statements);
  known.set(definition, permissions);
  return permissions;
};
