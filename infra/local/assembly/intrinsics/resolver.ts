import type * as z from "zod";
import { awsEnvironment } from "../../aws-environment.ts";
import { type Json, type JsonObject, oneLine } from "../../json.ts";
import { LocalProblem } from "../../problem.ts";
import type { Assembly, Resource, Stack } from "../read.ts";
import { resolveValue, type Scope } from "./intrinsics.ts";
import {
  type Addresses,
  attributeOf,
  generatedName,
  namePropertyOf,
  referenceTo,
  titleOf,
} from "./references.ts";

const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::Region": awsEnvironment.region,
  "AWS::AccountId": awsEnvironment.account,
  "AWS::Partition": awsEnvironment.partition,
  "AWS::URLSuffix": awsEnvironment.domain,
};

/** Reads the templates of an assembly as if it were deployed to this machine. */
export class Resolver {
  readonly #assembly: Assembly;
  readonly #addresses: Addresses;
  /** Cached imports, since every function imports the same few names and ARNs. */
  readonly #imported = new Map<string, Json>();

  constructor(assembly: Assembly, addresses: Addresses) {
    this.#assembly = assembly;
    this.#addresses = addresses;
  }

  /** All resources of a type, in the order of the manifest. */
  resources(type: string): Resource[] {
    return this.matching((resource) => resource.type === type);
  }

  matching(isWanted: (resource: Resource) => boolean): Resource[] {
    return this.#assembly.stacks.flatMap((stack) => [...stack.resources.values()].filter(isWanted));
  }

  /** The properties in the schema, resolved. Other properties are ignored. */
  read<Schema extends z.ZodObject>(resource: Resource, schema: Schema): z.output<Schema> {
    const scope = this.#scope(resource.stack);
    const wanted: JsonObject = {};
    for (const key of Object.keys(schema.shape)) {
      const raw = resource.properties[key];
      const value = raw === undefined ? undefined : resolveValue(raw, scope);
      if (value !== undefined) wanted[key] = value;
    }
    const parsed = schema.safeParse(wanted);
    if (!parsed.success)
      throw new LocalProblem(`${titleOf(resource)} is not understood: ${oneLine(parsed.error)}`);
    return parsed.data;
  }

  /** The name of the resource on this machine. */
  name(resource: Resource): string {
    const property = namePropertyOf(resource);
    const stated = property === undefined ? undefined : resource.properties[property];
    const name = stated === undefined ? undefined : resolveValue(stated, this.#scope(resource.stack));
    return typeof name === "string" ? name : generatedName(resource, this.#addresses);
  }

  attribute(resource: Resource, attribute: string): Json {
    return attributeOf(resource, attribute, this.name(resource), this.#addresses);
  }

  reference(resource: Resource): Json {
    return referenceTo(resource, this.name(resource), this.#addresses);
  }

  #scope(stack: Stack): Scope {
    return {
      reference: (name) => {
        if (name === "AWS::NoValue") return undefined;
        if (name === "AWS::StackName") return stack.name;
        return pseudoParameters[name] ?? this.reference(find(stack, name));
      },
      attribute: (logicalId, attribute) => this.attribute(find(stack, logicalId), attribute),
      importValue: (exportName) => {
        const value = this.#imported.get(exportName) ?? this.#importValue(exportName);
        this.#imported.set(exportName, value);
        return value;
      },
    };
  }

  #importValue(exportName: string): Json {
    for (const stack of this.#assembly.stacks) {
      for (const output of Object.values(stack.outputs)) {
        const scope = this.#scope(stack);
        if (output.Export === undefined || resolveValue(output.Export.Name, scope) !== exportName) continue;
        const value = resolveValue(output.Value, scope);
        if (value !== undefined) return value;
      }
    }
    throw new LocalProblem(`No stack of the assembly exports "${exportName}".`);
  }
}

const find = (stack: Stack, logicalId: string): Resource => {
  const resource = stack.resources.get(logicalId);
  if (resource === undefined) {
    throw new LocalProblem(
      `The template of ${stack.name} refers to "${logicalId}", which the local runtime cannot find.`,
    );
  }
  return resource;
};
