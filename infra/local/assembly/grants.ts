import * as z from "zod";
import { Problem } from "../problem.ts";
import type { Resource } from "./read.ts";
import { describe } from "./references.ts";
import type { Resolver } from "./resolver.ts";

const oneOrMore = z.union([z.string().transform((single) => [single]), z.array(z.string())]);

const ifExists = "StringEqualsIfExists";

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.strictObject({ [ifExists]: z.record(z.string(), oneOrMore) }).optional(),
});

const documentSchema = z.object({
  Statement: z.union([z.array(statementSchema), statementSchema.transform((single) => [single])]),
});

const policySchema = z.object({ PolicyDocument: documentSchema, Roles: z.array(z.string()).default([]) });

const roleSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: documentSchema })).default([]) });

export interface Statement {
  readonly effect: "Allow" | "Deny";
  /** Both may hold the wildcards `*` and `?`. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Where a request has a key, such as `dynamodb:ReturnValues`, its value must be one of these. */
  readonly ifExists: Readonly<Record<string, readonly string[]>>;
}

/**
 * What each role may do, by the role's name.
 *
 * A statement with `NotAction`, `NotResource` or any `Condition` but `StringEqualsIfExists` is refused. If these were
 * ignored, a function could do here what it may not do where it is deployed.
 */
export const readGrants = (resolver: Resolver): ReadonlyMap<string, readonly Statement[]> => {
  const grants = new Map<string, Statement[]>();
  const add = (role: string, document: z.infer<typeof documentSchema>): void => {
    const statements = document.Statement.map(
      ({ Effect: effect, Action: actions, Resource: resources, Condition }) => ({
        effect,
        actions,
        resources,
        ifExists: Condition?.[ifExists] ?? {},
      }),
    );
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
    throw new Problem(`${describe(first)}: the local runtime reads roles' own policies only.`);
};
