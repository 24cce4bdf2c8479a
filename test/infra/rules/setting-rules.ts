/** What an operator's settings make of an app, but for its tables. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { metricsNamespace } from "../../../shared/runtime/shared-names.ts";
import { at } from "../apps/json.ts";
import { certificateArn, functions, otherwise, stated, vault } from "../apps/setting-apps.ts";
import { type Context, noSettings, type SmallApps } from "../apps/small-apps.ts";

export const settingRules = (apps: SmallApps): void => {
  const { templateOf: ofApp, refused } = apps;
  const templateOf = (id: string, context: Context): Template => ofApp(id, context, functions);

  test("new code of what writes orders or works off queues is tried out on a tenth of the calls, or not, as the setting says", () => {
    const configs = (context: Context, id: string) =>
      Object.values(templateOf(id, context).findResources("AWS::CodeDeploy::DeploymentGroup")).map(
        ({ Properties }) => Properties.DeploymentConfigName,
      );

    expect(configs(noSettings, "oms")).toEqual(["CodeDeployDefault.LambdaCanary10Percent5Minutes"]);
    expect(new Set(configs(noSettings, "jobs"))).toEqual(
      new Set(["CodeDeployDefault.LambdaCanary10Percent5Minutes"]),
    );
    expect(configs(stated, "oms")).toEqual(["CodeDeployDefault.LambdaAllAtOnce"]);
    templateOf("oms", stated).hasResourceProperties("AWS::CodeDeploy::DeploymentGroup", {
      AlarmConfiguration: { Alarms: Match.absent(), Enabled: false },
    });
  });

  test("a canary is rolled back if functions of its stack fail three times within a minute", () => {
    const template = templateOf("jobs", noSettings);
    const [name] = Object.keys(
      template.findResources("AWS::CloudWatch::Alarm", {
        Properties: { Period: 60, Statistic: "Sum", Threshold: 3 },
      }),
    );

    template.hasResourceProperties("AWS::Logs::MetricFilter", {
      // An error that is logged, a crash, or a timeout.
      FilterPattern: Match.stringLikeRegexp('"ERROR".+status = "timeout".+status = "error"'),
      MetricTransformations: [{ MetricName: "errors oiw-jobs", MetricNamespace: metricsNamespace("oiw") }],
    });
    template.hasResourceProperties("AWS::CodeDeploy::DeploymentGroup", {
      AlarmConfiguration: { Alarms: [{ Name: { Ref: name } }], Enabled: true },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"],
      },
    });
  });

  test("every resource that can be tagged names its deployment", () => {
    const tags = [
      { Key: "deployment", Value: "trial" },
      { Key: "service", Value: "order-inventory-warehouse" },
    ];

    templateOf("api", stated).allResourcesProperties("AWS::Lambda::Function", { Tags: tags });
    templateOf("alerts", stated).allResourcesProperties("AWS::SNS::Topic", { Tags: tags });
  });

  test.each([
    [{ backupCopies: vault }, "backupCopies needs backups=daily"],
    [
      { restoredTables: { orders: { name: "orders-restored" } } },
      "restoredTables.orders needs the ARN of its stream",
    ],
    [{ restoredTables: { letters: { name: "letters-restored" } } }, "restoredTables"],
    [{ deploys: "slowly" }, "deploys must be one of canary, all-at-once"],
  ])("the settings %j are refused", (context, words) => {
    expect(refused(context)).toThrow(words);
  });

  test("alarms are mailed to the address of the context, and to nobody without one", () => {
    const subscription = { Protocol: "email", Endpoint: "operator@example.com" };

    const mailed = templateOf("alerts", stated);
    const silent = templateOf("alerts", noSettings);

    mailed.hasResourceProperties("AWS::SNS::Subscription", subscription);
    mailed.resourceCountIs("AWS::SNS::Subscription", 2);
    silent.resourceCountIs("AWS::SNS::Subscription", 0);
  });

  test("the costs of a month are watched by the setting budget alone", () => {
    const alerts = templateOf("alerts", stated);
    alerts.hasResource("AWS::Budgets::Budget", {
      Properties: {
        Budget: { BudgetLimit: { Amount: 500, Unit: "USD" } },
        NotificationsWithSubscribers: ["ACTUAL", "FORECASTED"].map((NotificationType) =>
          Match.objectLike({ Notification: Match.objectLike({ NotificationType }) }),
        ),
      },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp("^LaterAlarmsTopicPolicy")]),
    });
    templateOf("alerts", noSettings).resourceCountIs("AWS::Budgets::Budget", 0);
  });

  test("only the setting monitor has the service called on a schedule, with credentials from a secret", () => {
    const jobs = templateOf("jobs", stated);
    const alarms = jobs.findResources("AWS::CloudWatch::Alarm", {
      Properties: { MetricName: "Errors", Period: 300, EvaluationPeriods: 2, TreatMissingData: "breaching" },
    });

    expect(Object.values(alarms).map((one) => at(one, "Properties", "AlarmName"))).toEqual([
      "trial-jobs-monitor-call-Monitor-MonitorFails",
    ]);
    jobs.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(5 minutes)" });
    jobs.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: { SECRET_MONITOR: Match.anyValue() } },
    });
    jobs.resourceCountIs("AWS::SecretsManager::Secret", 1);
    const silent = templateOf("jobs", noSettings);
    for (const type of ["AWS::Events::Rule", "AWS::SecretsManager::Secret"]) silent.resourceCountIs(type, 0);
  });

  test("two deployments in one account share no name", () => {
    const logGroup = (deployment: string) => ({ LogGroupName: `/aws/lambda/${deployment}-api/not-found` });

    templateOf("api", stated).hasResourceProperties("AWS::Logs::LogGroup", logGroup("trial"));
    templateOf("api", noSettings).hasResourceProperties("AWS::Logs::LogGroup", logGroup("oiw"));
  });

  test("two deployments in one account mix neither figures nor alarms", () => {
    const jobs = templateOf("jobs", stated);
    const graphs = JSON.stringify(templateOf("observability", stated).toJSON());

    jobs.allResourcesProperties("AWS::Lambda::Function", {
      Environment: { Variables: { DEPLOYMENT: "trial" } },
    });
    jobs.hasResourceProperties("AWS::CloudWatch::Alarm", {
      Namespace: "OrderInventoryWarehouse/trial",
      MetricName: "webhooks_disabled",
      Dimensions: [{ Name: "service", Value: "trial" }],
    });
    expect(graphs).toContain("{OrderInventoryWarehouse/trial,service,route}");
  });

  test("calls are traced if the context says so, and cost nothing else", () => {
    const traced = { TracingConfig: { Mode: "Active" } };

    templateOf("api", stated).hasResourceProperties("AWS::Lambda::Function", traced);
    for (const context of [noSettings, otherwise]) {
      const untraced = templateOf("api", context);
      expect(untraced.findResources("AWS::Lambda::Function", { Properties: traced })).toEqual({});
      expect(JSON.stringify(untraced.findResources("AWS::IAM::Policy"))).not.toContain("xray");
    }
  });

  test("a setting that is neither on nor off is refused", () => {
    expect(refused({ tracing: "yes" })).toThrow("The setting tracing must be one of off, on");
  });

  test("the internal page answers the networks of the context, and nobody without them", () => {
    const withNetworks = (networks: string) => ({
      Environment: { Variables: { INTERNAL_NETWORKS: networks } },
    });

    const open = templateOf("docs", stated);
    const closed = templateOf("docs", noSettings);

    open.hasResourceProperties("AWS::Lambda::Function", withNetworks("10.0.0.0/8,fd00::/8"));
    closed.hasResourceProperties("AWS::Lambda::Function", withNetworks(""));
  });

  test("pages of the origins of the context may make calls, and see no page; without them no function knows any", () => {
    const origins = { CORS_ORIGINS: "https://shop.example.com http://localhost:5173" };
    const variablesIn = (stack: string, context: Context) =>
      Object.values(templateOf(stack, context).findResources("AWS::Lambda::Function")).map((one) =>
        JSON.stringify(at(one, "Properties", "Environment", "Variables")),
      );

    templateOf("api", stated).allResourcesProperties("AWS::Lambda::Function", {
      Environment: { Variables: origins },
    });
    expect(variablesIn("docs", stated).join()).not.toContain("CORS_ORIGINS");
    expect(variablesIn("api", noSettings).join()).not.toContain("CORS_ORIGINS");
  });

  test.each([
    "shop.example.com",
    "https://shop.example.com/",
    "HTTPS://SHOP.EXAMPLE.COM",
    "https://*.example.com/",
  ])("%s is no origin", (corsOrigins) => {
    expect(refused({ corsOrigins })).toThrow(
      "corsOrigins must be * or origins like https://shop.example.com",
    );
  });

  const origins = Array.from({ length: 21 }, (_, number) => `https://shop-${number}.example.com`);
  test.each([
    ["corsOrigins", origins.join(), "must name at most 20 origins"],
    ["corsOrigins", `https://${"a".repeat(60)}.${"b".repeat(60)}`, "must be * or origins like"],
    ["budget", "0.5", "must be at least 1 dollar"],
  ])("the setting %s is refused beyond its limit: %s", (name, value, words) => {
    expect(refused({ [name]: value })).toThrow(`The setting ${name} ${words}`);
  });

  test.each(["10.0.0.0", "10.0.0.0/33", "office", "fd00::/129"])("%s is no internal network", (network) => {
    expect(refused({ internalNetworks: network })).toThrow("The setting internalNetworks must be networks");
  });

  test.each(["eu-west", "9lives", "Upper", "a".repeat(21)])("%s cannot name a deployment", (deployment) => {
    expect(refused({ deployment })).toThrow("The setting deployment must be 1 to 20 lowercase letters");
  });

  test("all that is wrong with settings is said at once", () => {
    const replicas = { home: "eu-west-1", other: 1 };
    expect(refused({ internalNetworks: "office", replicas, monitor: "often" })).toThrow(
      "The setting internalNetworks must be networks such as 10.0.0.0/8, with commas between.\n" +
        "The setting monitor must be one of off, on.\n" +
        "The setting replicas.others is missing.\n" +
        "The setting replicas has the unknown field other.",
    );
  });

  describe("a domain of the operator's", () => {
    test("leads to the API, which has no other then", () => {
      const stage = templateOf("stage", stated);

      stage.hasResourceProperties("AWS::ApiGatewayV2::DomainName", {
        DomainName: "api.example.com",
        DomainNameConfigurations: [
          { CertificateArn: certificateArn, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
        ],
      });
      stage.resourceCountIs("AWS::ApiGatewayV2::ApiMapping", 1);
      stage.hasOutput("ApiUrl", { Value: "https://api.example.com/" });
    });

    test("leaves API Gateway's address until a setting of its own switches that off", () => {
      const address = (isOff: boolean) => ({ DisableExecuteApiEndpoint: isOff });

      templateOf("api", stated).hasResourceProperties("AWS::ApiGatewayV2::Api", address(false));
      templateOf("api", otherwise).hasResourceProperties("AWS::ApiGatewayV2::Api", address(true));
      expect(refused({ gatewayAddress: "off" })).toThrow("gatewayAddress can be off only with a domainName");
    });

    test("is not there unless it is stated", () => {
      templateOf("stage", noSettings).resourceCountIs("AWS::ApiGatewayV2::DomainName", 0);
      templateOf("api", noSettings).hasResourceProperties("AWS::ApiGatewayV2::Api", {
        DisableExecuteApiEndpoint: false,
      });
    });

    test.each([
      [{ domainName: "api.example.com" }, "The setting certificateArn is required"],
      [{ certificateArn }, "The setting domainName is required"],
      [{ domainName: "https://api.example.com", certificateArn }, "domainName must be a domain"],
      [{ domainName: "localhost", certificateArn }, "domainName must be a domain"],
      [{ domainName: "api.example.com", certificateArn: "certificate" }, "certificateArn must be the ARN"],
    ])("is rejected if it is stated half or wrong: %j", (stated, reason) => {
      expect(refused(stated)).toThrow(reason);
    });
  });
};
