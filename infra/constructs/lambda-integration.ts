import { Stack } from "aws-cdk-lib";
import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationBindOptions,
  type HttpRouteIntegrationConfig,
  PayloadFormatVersion,
} from "aws-cdk-lib/aws-apigatewayv2";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Callee } from "./releases.ts";

/**
 * Routes calls to a function or its alias. The CDK's own integration does not accept an alias under strict
 * optional types.
 */
export class LambdaIntegration extends HttpRouteIntegration {
  readonly #callee: Callee;
  readonly #allowed = new Set<string>();

  constructor(callee: Callee) {
    super("Integration");
    this.#callee = callee;
  }

  override bind(): HttpRouteIntegrationConfig {
    return {
      type: HttpIntegrationType.AWS_PROXY,
      uri: this.#callee.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
    };
  }

  /** Allows the API to call the function on this path only, once for all methods of the integration. */
  protected override completeBind({ scope, route }: HttpRouteIntegrationBindOptions): void {
    const path = route.path ?? "";
    if (this.#allowed.has(path)) return;
    this.#allowed.add(path);
    this.#callee.addPermission("Integration-Permission", {
      scope,
      principal: new ServicePrincipal("apigateway.amazonaws.com"),
      sourceArn: Stack.of(route).formatArn({
        service: "execute-api",
        resource: route.httpApi.apiId,
        resourceName: `*/*${path}`,
      }),
    });
  }
}
