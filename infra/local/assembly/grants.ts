import * as z from "zod";
import { LocalProblem } from "../problem.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";
import type { Resource } from "./read.ts";

const oneOrMore = z.union([z.string().transform((single) => [single]), z.array(z.string())]);

const byKey = z.record(z.string(), oneOrMore);

/**
 * Conditions on the keys of a request, such as `dynamodb:ReturnValues`, with the operators that the runtime
 * knows. A statement with another operator is rejected.
 */
const conditionsSchema = z.strictObject({
  StringEquals: byKey.optional(),
  StringEqualsIfExists: byKey.optional(),
  "ForAllValues:StringLike": byKey.optional(),
  Null: byKey.optional(),
});

export type Conditions = z.output<typeof conditionsSchema>;

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.literal("Allow"),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: conditionsSchema.default({}),
});

const statementsSchema = z.object({
  Statement: z.union([z.array(statementSchema), statementSchema.transform((single) => [single])]),
});

/** A policy, and its length in characters. */
const documentSchema = z.unknown().transform((document, context) => {
  const { success, data, error } = statementsSchema.safeParse(document);
  if (success) return { ...data, stated: JSON.stringify(document).length };
  for (const { path, message } of error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
});

type Document = z.output<typeof documentSchema>;

/** Maximum characters of all inline policies of a role in IAM, without white space. */
const maxPolicyCharacters = 10_240;

const policySchema = z.object({ PolicyDocument: documentSchema, Roles: z.array(z.string()).default([]) });

const roleSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: documentSchema })).default([]) });

/** A statement that allows something. */
export interface Statement {
  /** Both may hold the wildcards `*` and `?`. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Conditions;
}

/**
 * The permissions of each role, by the role's name.
 *
 * A statement that denies, or has `NotAction`, `NotResource` or an unknown operator in its `Condition`, is
 * rejected. If it were ignored, a function could do here what it may not do in a deployment.
 */
export const readGrants = (resolver: Resolver): ReadonlyMap<string, readonly Statement[]> => {
  const grants = new Map<string, Statement[]>();
  const sizes = new Map<string, number>();
  const add = (role: string, { stated, ...document }: Document): void => {
    const size = (sizes.get(role) ?? 0) + stated;
    sizes.set(role, size);
    if (size > maxPolicyCharacters)
      throw new LocalProblem(
        `Maximum policy size of ${maxPolicyCharacters} bytes exceeded for role ${role}: its inline policies take ${size}.`,
      );
    const statements = document.Statement.map(({ Action, Resource, Condition }) => ({
      actions: Action,
      resources: Resource,
      conditions: Condition,
    }));
    grants.set(role, [...(grants.get(role) ?? []), ...statements]);
  };
  for (const role of resolver.resources("AWS::IAM::Role")) {
    for (const { PolicyDocument: document } of resolver.read(role, roleSchema).Policies) {
      add(resolver.name(role), document);
    }
  }
  for (const policy of resolver.resources("AWS::IAM::Policy")) {
    const { PolicyDocument: document, Roles: roles } = resolver.read(policy, policySchema);
    for (const role of roles) add(role, document);
  }
  refuseManaged(resolver.resources("AWS::IAM::ManagedPolicy"));
  return grants;
};

const refuseManaged = ([first]: Resource[]): void => {
  if (first !== undefined)
    throw new LocalProblem(`${titleOf(first)}: the local runtime reads roles' own policies only.`);
};
