import { Stack, type StackProps } from "aws-cdk-lib";
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from "aws-cdk-lib/aws-apigatewayv2";
import type { Construct } from "constructs";
import { type RoutedContract, routesOf } from "../../shared/runtime/contract.ts";
import type { Entry } from "../catalog.ts";
import { LambdaIntegration } from "../constructs/lambda-integration.ts";
import { Releases } from "../constructs/releases.ts";
import { type FunctionResources, ServiceFunction } from "../constructs/service-function.ts";

interface AreaStackProps extends StackProps {
  readonly endpoints: readonly Entry<RoutedContract>[];
  readonly resources: FunctionResources;
  readonly httpApi: HttpApi;
}

/**
 * The endpoints of an area, those of a feature, or the pages, each with its function and routes. They have a
 * stack of their own (see `catalog.ts`), because a stack holds 500 resources: an endpoint takes seven, three
 * of them for its route, one more for HEAD, and four if its new code is tried out.
 */
export class AreaStack extends Stack {
  constructor(scope: Construct, id: string, props: AreaStackProps) {
    super(scope, id, props);
    const { endpoints, resources } = props;
    const releases = new Releases(this, resources);
    for (const entry of endpoints) {
      const target = releases.release(new ServiceFunction(this, entry, resources));
      // The id is derived from the route, not from the function's file. API Gateway rejects a second route
      // with the same key, so a renamed file must keep its route's id. Moving a route to another stack takes
      // two deployments.
      for (const { method, path } of routesOf(entry.contract)) {
        const integration = new LambdaIntegration(target);
        for (const served of method === "GET" ? (["GET", "HEAD"] as const) : [method])
          new HttpRoute(this, `${served} ${path}`, {
            httpApi: props.httpApi,
            routeKey: HttpRouteKey.with(path, HttpMethod[served]),
            integration,
          });
      }
    }
  }
}
