import { arn, awsEnvironment } from "../../aws-environment.ts";
import type { Json } from "../../json.ts";
import { LocalProblem } from "../../problem.ts";
import type { Resource } from "../read.ts";

/** Values that are known only once the local servers listen. */
export interface Addresses {
  /** Where the functions reach the queues, without a slash at the end. */
  readonly queueOrigin: string;
  /**
   * The suffix of the names of tables without a name in the templates. It differs between runtimes that share
   * a DynamoDB.
   */
  readonly tableSuffix: string;
}

/** A resource's name here, and its values for `Ref` and `Fn::GetAtt`. */
interface Kind {
  /** The property in which a template may state the name. */
  readonly nameProperty?: string;
  ref(name: string, addresses: Addresses): Json;
  readonly attributes: Readonly<Record<string, (name: string, addresses: Addresses) => Json>>;
  /** The property that a resource needs in order to have an attribute, by the attribute. */
  readonly needs?: Readonly<Record<string, string>>;
}

export const queueUrl = (name: string, addresses: Addresses): string =>
  `${addresses.queueOrigin}/${awsEnvironment.account}/${name}`;

/** The ARN of a table's stream. In a deployment, it ends with the time at which the stream began. */
export const streamArn = (table: string): string => arn("dynamodb", `table/${table}/stream/local`);

const itself = (name: string): string => name;
const named = (nameProperty: string, arnOf: (name: string) => string): Kind => ({
  nameProperty,
  ref: itself,
  attributes: { Arn: arnOf },
});

const functionArn = (name: string): string => arn("lambda", `function:${name}`);

const ofFunction: Kind = {
  nameProperty: "FunctionName",
  ref: functionArn,
  attributes: { AliasArn: functionArn, FunctionArn: functionArn, Version: () => "1" },
};

/** IAM is global: its ARNs name no region. */
const iamArn = (resource: string): string =>
  `arn:${awsEnvironment.partition}:iam::${awsEnvironment.account}:${resource}`;

const kinds: Readonly<Record<string, Kind>> = {
  "AWS::DynamoDB::GlobalTable": {
    nameProperty: "TableName",
    ref: itself,
    attributes: { Arn: (name) => arn("dynamodb", `table/${name}`), StreamArn: streamArn },
    needs: { StreamArn: "StreamSpecification" },
  },
  "AWS::Lambda::Function": named("FunctionName", functionArn),
  // A version and an alias stand for their function, which has no other code here.
  "AWS::Lambda::Version": ofFunction,
  "AWS::Lambda::Alias": ofFunction,
  "AWS::IAM::Role": named("RoleName", (name) => iamArn(`role/${name}`)),
  "AWS::Events::Rule": named("Name", (name) => arn("events", `rule/${name}`)),
  "AWS::Logs::LogGroup": named("LogGroupName", (name) => arn("logs", `log-group:${name}:*`)),
  "AWS::SQS::Queue": {
    nameProperty: "QueueName",
    ref: queueUrl,
    attributes: { Arn: (name) => arn("sqs", name), QueueName: itself, QueueUrl: queueUrl },
  },
  "AWS::SNS::Topic": {
    nameProperty: "TopicName",
    ref: (name) => arn("sns", name),
    attributes: { TopicArn: (name) => arn("sns", name), TopicName: itself },
  },
  "AWS::SecretsManager::Secret": {
    nameProperty: "Name",
    ref: (name) => arn("secretsmanager", `secret:${name}`),
    attributes: { Id: (name) => arn("secretsmanager", `secret:${name}`) },
  },
  "AWS::ApiGatewayV2::Api": { ref: itself, attributes: { ApiId: itself } },
  "AWS::ApiGatewayV2::Integration": { ref: itself, attributes: {} },
};

const kindOf = (resource: Resource): Kind => {
  const kind = kinds[resource.type];
  if (kind === undefined) {
    throw new LocalProblem(
      `The local runtime cannot refer to ${titleOf(resource)}: it does not know the type.`,
    );
  }
  return kind;
};

/** The property with a resource's name. If a template does not set it, the runtime chooses a name. */
export const namePropertyOf = (resource: Resource): string | undefined => kindOf(resource).nameProperty;

/** The name that CloudFormation would generate, without a random suffix, so that data on disk are found. */
export const generatedName = ({ stack, logicalId, type }: Resource, addresses: Addresses): string =>
  `${stack.name}-${logicalId}${type === "AWS::DynamoDB::GlobalTable" ? addresses.tableSuffix : ""}`;

export const referenceTo = (resource: Resource, name: string, addresses: Addresses): Json =>
  kindOf(resource).ref(name, addresses);

export const attributeOf = (
  resource: Resource,
  attribute: string,
  name: string,
  addresses: Addresses,
): Json => readerOf(resource, kindOf(resource), attribute)(name, addresses);

/** Rejects an attribute that a resource does not have. Resources of unknown types are skipped. */
export const checkAttribute = (resource: Resource, attribute: string): void => {
  const kind = kinds[resource.type];
  if (kind !== undefined) readerOf(resource, kind, attribute);
};

/** @throws {LocalProblem} with CloudFormation's message if the attribute does not exist */
const readerOf = (resource: Resource, kind: Kind, attribute: string): Kind["attributes"][string] => {
  const read = kind.attributes[attribute];
  if (read === undefined)
    throw new LocalProblem(
      `${resource.stack.name}: Template error: resource ${resource.logicalId} does not support attribute type ${attribute} in Fn::GetAtt`,
    );
  const needed = kind.needs?.[attribute];
  if (needed !== undefined && resource.properties[needed] === undefined)
    throw new LocalProblem(
      `${titleOf(resource)}: Attribute '${attribute}' does not exist, because the resource has no ${needed}`,
    );
  return read;
};

/** A resource as messages name it. */
export const titleOf = ({ stack, logicalId, type }: Resource): string =>
  `${stack.name}/${logicalId} (${type})`;
