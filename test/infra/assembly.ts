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

/** All resources of one type, over all stacks. */
export const resources = ({ templates }: Assembly, type: string): Found[] =>
  [...templates].flatMap(([stack, template]) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => ({ stack, id, properties: resource.Properties, resource: { ...resource } })),
  );

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

const exported = (assembly: Assembly, name: string): string => {
  for (const [stack, { Outputs }] of assembly.templates) {
    for (const [, output] of members(Outputs)) {
      if (at(output, "Export", "Name") === name) return text(assembly, stack, at(output, "Value"));
    }
  }
  throw new Error(`Nothing is exported as ${name}.`);
};
