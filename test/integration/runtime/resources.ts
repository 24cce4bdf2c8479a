/** A function of a fixture, and what calls it. */
export interface FixtureFunction {
  /** The module `index.mjs`. */
  readonly code: string;
  /** What its role allows on the table, the queue and the secret. */
  readonly tableActions?: readonly string[];
  /** The partition keys for which it allows that, with `*` for any characters; all of them without it. */
  readonly tableKeys?: readonly string[];
  readonly queueActions?: readonly string[];
  readonly secretActions?: readonly string[];
  /** What its role allows on the table's stream. */
  readonly streamActions?: readonly string[];
  readonly timeoutSeconds?: number;
  /** `GET /path` or `$default`. */
  readonly route?: string;
  readonly consumesQueue?: boolean;
  /** Begins of the keys of items whose changes it is called with. */
  readonly changesOf?: readonly string[];
  /** What else its event source of changes states. */
  readonly changesBy?: object;
  readonly everyMinutes?: number;
}

const imported = (name: string) => ({ "Fn::ImportValue": `fixture-data:${name}` });

const statement = (service: string, actions: readonly string[], Resource: unknown) => ({
  Effect: "Allow",
  Action: actions.map((action) => `${service}:${action}`),
  Resource,
});

const tableAndIndexes = [imported("tableArn"), { "Fn::Join": ["", [imported("tableArn"), "/index/*"]] }];

const onKeys = (keys: readonly string[] | undefined) =>
  keys && {
    Condition: {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys },
      Null: { "dynamodb:LeadingKeys": "false" },
    },
  };

const lambdaResources = (name: string, fixture: FixtureFunction) => {
  const { tableActions = [], queueActions = [], secretActions = [], timeoutSeconds = 5 } = fixture;
  const { streamActions = [] } = fixture;
  const Statement = [
    ...(tableActions.length > 0
      ? [{ ...statement("dynamodb", tableActions, tableAndIndexes), ...onKeys(fixture.tableKeys) }]
      : []),
    ...(streamActions.length > 0 ? [statement("dynamodb", streamActions, imported("streamArn"))] : []),
    ...(queueActions.length > 0 ? [statement("sqs", queueActions, imported("queueArn"))] : []),
    ...(secretActions.length > 0 ? [statement("secretsmanager", secretActions, imported("secretArn"))] : []),
  ];
  return {
    [`${name}Role`]: { Type: "AWS::IAM::Role", Properties: {} },
    [`${name}Policy`]: {
      Type: "AWS::IAM::Policy",
      Properties: { PolicyDocument: { Statement }, Roles: [{ Ref: `${name}Role` }] },
    },
    [name]: {
      Type: "AWS::Lambda::Function",
      Properties: {
        Handler: "index.handler",
        Runtime: "nodejs24.x",
        Code: { S3Bucket: "assets", S3Key: `hash-${name}.zip` },
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Timeout: timeoutSeconds,
        MemorySize: 256,
        Environment: {
          Variables: {
            TABLE_THINGS: imported("tableName"),
            QUEUE_LETTERS: imported("queueUrl"),
            SECRET_SEAL: imported("secretArn"),
          },
        },
      },
    },
  };
};

const filterOf = (begins: readonly string[]) => ({
  Pattern: JSON.stringify({ dynamodb: { Keys: { pk: { S: begins.map((prefix) => ({ prefix })) } } } }),
});

const callers = (name: string, { route, consumesQueue, everyMinutes, ...fixture }: FixtureFunction) => ({
  ...(fixture.changesOf !== undefined && {
    [`${name}Changes`]: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: imported("streamArn"),
        FunctionName: { Ref: name },
        StartingPosition: "TRIM_HORIZON",
        BatchSize: 10,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        FilterCriteria: { Filters: [filterOf(fixture.changesOf)] },
        ...fixture.changesBy,
      },
    },
  }),
  ...(route !== undefined && {
    [`${name}Integration`]: {
      Type: "AWS::ApiGatewayV2::Integration",
      Properties: {
        IntegrationType: "AWS_PROXY",
        IntegrationUri: { "Fn::GetAtt": [name, "Arn"] },
        PayloadFormatVersion: "2.0",
      },
    },
    [`${name}Route`]: {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: {
        RouteKey: route,
        Target: { "Fn::Join": ["/", ["integrations", { Ref: `${name}Integration` }]] },
      },
    },
  }),
  ...(consumesQueue && {
    [`${name}Mapping`]: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: imported("queueArn"),
        FunctionName: { Ref: name },
        BatchSize: 10,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      },
    },
  }),
  ...(everyMinutes !== undefined && {
    [`${name}Rule`]: {
      Type: "AWS::Events::Rule",
      Properties: {
        ScheduleExpression: `rate(${everyMinutes} minutes)`,
        Targets: [{ Arn: { "Fn::GetAtt": [name, "Arn"] }, Id: "Target0" }],
      },
    },
  }),
});

/** The resources of the functions, as CDK would write them. */
export const functionResources = (
  functions: Readonly<Record<string, FixtureFunction>>,
): Record<string, unknown> => {
  const resources: Record<string, unknown> = {};
  for (const [name, fixture] of Object.entries(functions)) {
    Object.assign(resources, lambdaResources(name, fixture), callers(name, fixture));
  }
  return resources;
};
