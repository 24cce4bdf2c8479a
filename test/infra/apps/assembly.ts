import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at, type Json, list, members } from "./json.ts";

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Json }>>;
  readonly Outputs?: Json;
}

/** A resource of a template, and where it is. */
export interface Found {
  readonly stack: string;
  readonly id: string;
  readonly properties: Json | undefined;
  /** All of it, with its policies. */
  readonly resource: Json | undefined;
}

/** A synthesized cloud assembly, as the tests read it. */
export interface Assembly {
  readonly directory: string;
  readonly templates: ReadonlyMap<string, Template>;
  readonly manifest: Json;
}

const readJson = <Shape>(path: string): Shape => JSON.parse(readFileSync(path, "utf8"));

/** Reads a cloud assembly. Its templates are listed by their stacks' ids: `Data`, `Jobs` and so on. */
export const readAssembly = (directory: string): Assembly => {
  const manifest = readJson<Json>(join(directory, "manifest.json"));
  const stacks = members(at(manifest, "artifacts")).filter(
    ([, artifact]) => at(artifact, "type") === "aws:cloudformation:stack",
  );
  const templates = stacks.map(([id, artifact]): [string, Template] => [
    id,
    readJson(join(directory, String(at(artifact, "properties", "templateFile")))),
  ]);
  return { directory, templates: new Map(templates), manifest };
};

/** The stacks that are deployed before this one. */
export const dependenciesOf = ({ manifest }: Assembly, stack: string): readonly string[] =>
  list(at(manifest, "artifacts", stack, "dependencies")).map(String);

/** Has something looked up once for each assembly, since hundreds of rules ask for the same. */
export const oncePerAssembly = <Known extends object>(
  find: (assembly: Assembly) => Known,
): ((assembly: Assembly) => Known) => {
  const all = new WeakMap<Assembly, Known>();
  return (assembly) => {
    const known = all.get(assembly) ?? find(assembly);
    all.set(assembly, known);
    return known;
  };
};

const resourcesByType = oncePerAssembly(({ templates }): ReadonlyMap<string, readonly Found[]> => {
  const all = [...templates].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([id, resource]) => ({ stack, id, resource })),
  );
  const byType = Map.groupBy(all, ({ resource }) => resource.Type);
  return new Map(
    [...byType].map(([type, found]) => [
      type,
      found.map(({ stack, id, resource }) => ({
        stack,
        id,
        properties: resource.Properties,
        resource: { ...resource },
      })),
    ]),
  );
});

/** All resources of one type, over all stacks. */
export const resources = (assembly: Assembly, type: string): readonly Found[] =>
  resourcesByType(assembly).get(type) ?? [];

/** The name of a resource in the texts that `text` gives: `Data/orders46FA7C19`, and with `.Arn` its ARN. */
export const nameOf = ({ stack, id }: Found): string => `${stack}/${id}`;

/** An intrinsic as one text; references, also through exports of other stacks, become the resource's name. */
export const text = (assembly: Assembly, stack: string, value: Json | undefined): string => {
  if (typeof value === "string") return value;
  const reference = at(value, "Ref");
  if (typeof reference === "string") return reference.includes("::") ? reference : `${stack}/${reference}`;
  const attribute = at(value, "Fn::GetAtt");
  if (attribute !== undefined) return `${stack}/${list(attribute).join(".")}`;
  const joined = at(value, "Fn::Join");
  if (joined !== undefined) {
    const [separator, parts] = list(joined);
    return list(parts)
      .map((part) => text(assembly, stack, part))
      .join(String(separator));
  }
  // A part of an ARN stands for the resource whose ARN it is.
  const [, split] = list(at(value, "Fn::Select") ?? []);
  if (split !== undefined) return text(assembly, stack, list(at(split, "Fn::Split"))[1]);
  const imported = at(value, "Fn::ImportValue");
  if (typeof imported === "string") return exported(assembly, imported);
  throw new Error(`Not a text: ${JSON.stringify(value)}`);
};

/** What the stacks export, by its name. */
const exportsOf = oncePerAssembly(
  ({ templates }): ReadonlyMap<Json | undefined, readonly [stack: string, value: Json | undefined]> =>
    new Map(
      [...templates].flatMap(([stack, { Outputs }]) =>
        members(Outputs).map(([, output]) => [at(output, "Export", "Name"), [stack, at(output, "Value")]]),
      ),
    ),
);

const exported = (assembly: Assembly, name: string): string => {
  const found = exportsOf(assembly).get(name);
  if (found === undefined) throw new Error(`Nothing is exported as ${name}.`);
  return text(assembly, ...found);
};
