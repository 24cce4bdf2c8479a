import * as z from "zod";
import { LocalProblem } from "../problem.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";

const apiSchema = z.object({
  ProtocolType: z.literal("HTTP"),
  Body: z.undefined({ error: "an API from an OpenAPI body is not known" }).optional(),
  CorsConfiguration: z.undefined({ error: "CORS by API Gateway is not known" }).optional(),
});

const routeSchema = z.object({
  RouteKey: z.string().regex(/^(?!ANY )[^+]+$/, "ANY and greedy parameters are not known"),
  Target: z.string().startsWith("integrations/"),
  AuthorizationType: z.literal("NONE").default("NONE"),
});

const integrationSchema = z.object({
  IntegrationType: z.literal("AWS_PROXY"),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal("2.0"),
  TimeoutInMillis: z.number().default(30_000),
});

export interface RouteDefinition {
  /** `GET /a/{b}` or `$default`. */
  readonly key: string;
  readonly functionArn: string;
  /** How long API Gateway waits for the function. */
  readonly timeoutMs: number;
}

export const readRoutes = (resolver: Resolver): RouteDefinition[] => {
  const apis = resolver.resources("AWS::ApiGatewayV2::Api");
  for (const api of apis) resolver.read(api, apiSchema);
  if (apis.length > 1)
    throw new LocalProblem("The assembly has more than one HTTP API; the local runtime serves one.");
  const integrations = new Map(
    resolver
      .resources("AWS::ApiGatewayV2::Integration")
      .map((resource) => [resolver.name(resource), resource]),
  );
  return resolver.resources("AWS::ApiGatewayV2::Route").map((resource) => {
    const route = resolver.read(resource, routeSchema);
    const integration = integrations.get(route.Target.slice("integrations/".length));
    if (integration === undefined)
      throw new LocalProblem(`${titleOf(resource)} has no integration in the assembly.`);
    const { IntegrationUri: functionArn, TimeoutInMillis: timeout } = resolver.read(
      integration,
      integrationSchema,
    );
    return { key: route.RouteKey, functionArn, timeoutMs: timeout };
  });
};
