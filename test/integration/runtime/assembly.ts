import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FixtureFunction, functionResources } from "./resources.ts";

/** A folder for one test file; `remove` deletes it. */
export const temporaryFolder = (): { folder: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "runtime-test-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const exported = (name: string, Value: unknown) => ({
  [name]: { Value, Export: { Name: `fixture-data:${name}` } },
});

const string = (AttributeName: string) => ({ AttributeName, AttributeType: "S" });
const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

/** A table with an index of each scope and a stream, a queue with a dead-letter queue behind it, and a secret. */
export const dataTemplate = {
  Resources: {
    things: {
      Type: "AWS::DynamoDB::GlobalTable",
      Properties: {
        AttributeDefinitions: ["pk", "sk", "owner"].map(string),
        KeySchema: keys("pk", "sk"),
        LocalSecondaryIndexes: [
          {
            IndexName: "byOwner",
            KeySchema: keys("pk", "owner"),
            Projection: { ProjectionType: "KEYS_ONLY" },
          },
        ],
        GlobalSecondaryIndexes: [
          { IndexName: "ofOwner", KeySchema: keys("owner", "pk"), Projection: { ProjectionType: "ALL" } },
        ],
        StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
        TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
      },
    },
    letters: {
      Type: "AWS::SQS::Queue",
      Properties: {
        VisibilityTimeout: 60,
        RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["dead", "Arn"] }, maxReceiveCount: 2 },
      },
    },
    dead: { Type: "AWS::SQS::Queue", Properties: {} },
    seal: {
      Type: "AWS::SecretsManager::Secret",
      Properties: { GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true } },
    },
  },
  Outputs: {
    ...exported("tableName", { Ref: "things" }),
    ...exported("tableArn", { "Fn::GetAtt": ["things", "Arn"] }),
    ...exported("streamArn", { "Fn::GetAtt": ["things", "StreamArn"] }),
    ...exported("queueUrl", { Ref: "letters" }),
    ...exported("queueArn", { "Fn::GetAtt": ["letters", "Arn"] }),
    ...exported("secretArn", { Ref: "seal" }),
  },
};

/** Writes a cloud assembly of two stacks, as `cdk synth` would, and the code of its functions. */
export const writeAssembly = (
  folder: string,
  functions: Readonly<Record<string, FixtureFunction>>,
): string => {
  const directory = join(folder, "cdk.out");
  mkdirSync(directory, { recursive: true });
  const files: Record<string, unknown> = {};
  for (const [name, { code }] of Object.entries(functions)) {
    const asset = `asset.${name}`;
    mkdirSync(join(directory, asset), { recursive: true });
    writeFileSync(join(directory, asset, "index.mjs"), code);
    files[`hash-${name}`] = { source: { path: asset, packaging: "zip" } };
  }
  const app = { Resources: functionResources(functions) };
  const write = (file: string, content: unknown): void =>
    writeFileSync(join(directory, file), JSON.stringify(content));
  write("Data.template.json", dataTemplate);
  write("App.template.json", app);
  write("App.assets.json", { files });
  const stack = (name: string, templateFile: string) => ({
    type: "aws:cloudformation:stack",
    properties: { templateFile, stackName: name },
  });
  write("manifest.json", {
    artifacts: {
      Data: stack("fixture-data", "Data.template.json"),
      "App.assets": { type: "cdk:asset-manifest", properties: { file: "App.assets.json" } },
      App: stack("fixture-app", "App.template.json"),
    },
  });
  return directory;
};
