import { describe, expect, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { type FunctionContract, routesOf } from "../../../shared/runtime/contract.ts";
import { type Assembly, dependenciesOf, type Found, nameOf, resources, text } from "../apps/assembly.ts";
import { deployedFunction, isFunction, only } from "../apps/deployed.ts";
import { at, namesIn } from "../apps/json.ts";

const entries = Object.entries(functions);
const api = (assembly: Assembly): Found => only(resources(assembly, "AWS::ApiGatewayV2::Api"), "the API");
const stage = (assembly: Assembly): Found =>
  only(resources(assembly, "AWS::ApiGatewayV2::Stage"), "the stage");

const routesOfFunction = (contract: FunctionContract) => {
  if (contract.type === "endpoint" || contract.type === "page" || contract.type === "health-check")
    return routesOf(contract).map(({ method, path }) => ({ route: `${method} ${path}`, path }));
  return contract.type === "fallback" ? [{ route: "$default", path: "" }] : [];
};

const routed = entries.flatMap(([key, contract]) =>
  routesOfFunction(contract).map((route) => ({ key, ...route })),
);

const gatewayPermissions = (assembly: Assembly): Found[] =>
  resources(assembly, "AWS::Lambda::Permission").filter(
    ({ properties }) => at(properties, "Principal") === "apigateway.amazonaws.com",
  );

/** What holds for the API and its routes. */
export const routeRules = (get: () => Assembly): void => {
  describe("routes", () => {
    test("there is one for every path of an endpoint or a page, HEAD beside GET, one for what no endpoint serves, and no other", () => {
      const routes = resources(get(), "AWS::ApiGatewayV2::Route").map(({ properties }) =>
        at(properties, "RouteKey"),
      );

      const heads = routed.filter(({ route }) => route.startsWith("GET ")).map(({ path }) => `HEAD ${path}`);
      expect(routes.sort()).toEqual([...routed.map(({ route }) => route), ...heads].sort());
      // API Gateway takes so many of one API, unless AWS raises the account's quota.
      expect(routes.length).toBeLessThanOrEqual(300);
      expect(gatewayPermissions(get())).toHaveLength(routed.length);
      expect(resources(get(), "AWS::ApiGatewayV2::Integration")).toHaveLength(routed.length);
    });

    test.each(routed)("$route calls $key with payload 2.0 and is allowed to", ({ key, route, path }) => {
      const lambda = deployedFunction(get(), key);
      const found = only(
        resources(get(), "AWS::ApiGatewayV2::Route").filter(
          ({ properties }) => at(properties, "RouteKey") === route,
        ),
        route,
      );
      const target = text(get(), found.stack, at(found.properties, "Target"));
      const integration = only(
        resources(get(), "AWS::ApiGatewayV2::Integration").filter(
          (one) => `integrations/${nameOf(one)}` === target,
        ),
        target,
      );
      // A permission is for a path with all of its methods, and each route brings its own.
      const permissions = gatewayPermissions(get()).filter(
        (one) =>
          isFunction(get(), lambda, one, "FunctionName") &&
          text(get(), one.stack, at(one.properties, "SourceArn")).endsWith(`/*/*${path}`),
      );

      expect(text(get(), found.stack, at(found.properties, "ApiId"))).toBe(nameOf(api(get())));
      expect(isFunction(get(), lambda, integration, "IntegrationUri")).toBe(true);
      expect(integration.properties).toMatchObject({
        IntegrationType: "AWS_PROXY",
        PayloadFormatVersion: "2.0",
      });
      expect(permissions).toHaveLength(routed.filter((one) => one.key === key && one.path === path).length);
      for (const { stack, properties } of permissions) {
        const source = text(get(), stack, at(properties, "SourceArn"));
        expect(source.endsWith(`:${nameOf(api(get()))}/*/*${path}`)).toBe(true);
      }
    });
  });

  describe("the API", () => {
    test("deploys by itself, at the root, with a limit on requests", () => {
      const { properties } = stage(get());

      expect(properties).toMatchObject({ StageName: "$default", AutoDeploy: true });
      expect(Number(at(properties, "DefaultRouteSettings", "ThrottlingRateLimit"))).toBeGreaterThan(0);
      expect(Number(at(properties, "DefaultRouteSettings", "ThrottlingBurstLimit"))).toBeGreaterThan(0);
    });

    test("lets few requests a second through that check passwords or codes, and limits no other route by itself", () => {
      const settings = at(stage(get()).properties, "RouteSettings");

      expect(namesIn(settings).sort()).toEqual([
        "POST /apirest/v4/wms/docs",
        "POST /apirest/v4/wms/docs/sign-out",
        "POST /apiv2/mobile-login-1",
        "POST /apiv2/mobile-verify-code-1",
      ]);
      for (const route of namesIn(settings))
        expect(at(settings, route)).toEqual({ ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 });
    });

    test("has its stage above the routes, for API Gateway refuses a limit of a route that there is not", () => {
      const areas = new Set(resources(get(), "AWS::ApiGatewayV2::Route").map(({ stack }) => stack));

      expect(dependenciesOf(get(), stage(get()).stack)).toEqual(expect.arrayContaining([...areas]));
    });

    test("its access log says who waited how long for what, without headers or queries, for a month", () => {
      const { stack, properties } = stage(get());
      const format = String(at(properties, "AccessLogSettings", "Format"));
      const group = text(get(), stack, at(properties, "AccessLogSettings", "DestinationArn"));
      const log = resources(get(), "AWS::Logs::LogGroup").find((one) => `${nameOf(one)}.Arn` === group);

      expect(JSON.parse(format)).toMatchObject({
        requestId: "$context.requestId",
        source: "$context.identity.sourceIp",
        route: "$context.routeKey",
        status: "$context.status",
        latency: "$context.responseLatency",
      });
      expect(format.replace("$context.identity.sourceIp", "")).not.toMatch(
        /header|authorizer|identity|querystring|\$request|context\.path/i,
      );
      expect(at(log?.properties, "RetentionInDays")).toBe(30);
    });

    test("its address is an output", () => {
      const outputs = get().templates.get("Stage")?.Outputs;

      expect(text(get(), "Stage", at(outputs, "ApiUrl", "Value"))).toMatch(
        /^https:\/\/Api\/HttpApi\w+\.execute-api\./,
      );
    });
  });
};
