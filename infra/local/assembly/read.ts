import { join } from "node:path";
import * as z from "zod";
import { type JsonObject, jsonSchema, readJsonFile } from "../json.ts";

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .object({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
          file: z.string().optional(),
        })
        .optional(),
    }),
  ),
});

const bag = z.record(z.string(), jsonSchema);

const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: bag.default({}) })).default({}),
  Parameters: z.record(z.string(), z.unknown()).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: jsonSchema, Export: z.object({ Name: jsonSchema }).optional() }))
    .default({}),
});

const assetsSchema = z.object({
  files: z
    .record(z.string(), z.object({ source: z.object({ path: z.string(), packaging: z.string() }) }))
    .default({}),
});

export interface Resource {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
}

export type Outputs = z.infer<typeof templateSchema>["Outputs"];

export interface Stack {
  readonly name: string;
  readonly resources: ReadonlyMap<string, Resource>;
  /** The names of its parameters. */
  readonly parameters: ReadonlySet<string>;
  readonly outputs: Outputs;
}

/** The output of `cdk synth`: every stack's template, and the folders with the functions' code. */
export interface Assembly {
  readonly stacks: readonly Stack[];
  /** Folder or file of an asset by its hash. */
  readonly assets: ReadonlyMap<string, string>;
}

export const readAssembly = (directory: string): Assembly => {
  const manifest = readJsonFile(join(directory, "manifest.json"), manifestSchema);
  const stacks: Stack[] = [];
  const assets = new Map<string, string>();
  for (const [id, { type, properties = {} }] of Object.entries(manifest.artifacts)) {
    const { templateFile, stackName, file } = properties;
    if (type === "aws:cloudformation:stack" && templateFile !== undefined) {
      stacks.push(readStack(join(directory, templateFile), stackName ?? id));
    }
    if (type === "cdk:asset-manifest" && file !== undefined) addAssets(directory, file, assets);
  }
  return { stacks, assets };
};

const readStack = (file: string, name: string): Stack => {
  const template = readJsonFile(file, templateSchema);
  const resources = new Map<string, Resource>();
  const parameters = new Set(Object.keys(template.Parameters));
  const stack: Stack = { name, resources, parameters, outputs: template.Outputs };
  for (const [logicalId, { Type: type, Properties: properties }] of Object.entries(template.Resources)) {
    resources.set(logicalId, { stack, logicalId, type, properties });
  }
  return stack;
};

const addAssets = (directory: string, file: string, assets: Map<string, string>): void => {
  const { files } = readJsonFile(join(directory, file), assetsSchema);
  for (const [hash, { source }] of Object.entries(files)) assets.set(hash, join(directory, source.path));
};
