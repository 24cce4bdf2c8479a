import { CfnOutput, Duration, SecretValue, Stack, type StackProps } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Construct } from "constructs";
import { edgeHeaders } from "../../shared/runtime/shared-names.ts";
import type { EdgeSettings } from "../edge-settings.ts";

/**
 * Runs in CloudFront for each request. Both headers replace those that a viewer sent. API Gateway needs its
 * own host in the request, so a separate header carries the host that the viewer called.
 */
export const viewerFunction = `function handler(event) {
  var request = event.request;
  request.headers["${edgeHeaders.address}"] = { value: event.viewer.ip };
  request.headers["${edgeHeaders.host}"] = { value: request.headers.host.value };
  return request;
}
`;

/** The files that all documentation pages load. Their names change with their content, so they are cached. */
const lastingFiles = "/apirest/v4/oms/docs/*";

/**
 * Statuses that CloudFront would cache for ten seconds for all callers of the same path. Whether a record
 * exists depends on the account, so failures must not be cached.
 */
const failures: readonly number[] = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

interface EdgeStackProps extends StackProps {
  readonly httpApi: HttpApi;
  readonly edge: EdgeSettings;
}

/**
 * CloudFront in front of the API, with a firewall. Functions reject calls that bypass it, but are still
 * invoked by them. Only files of the documentation are cached. The stack lies above the functions, so that
 * they accept a new secret before it is sent.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { httpApi, edge, ...props }: EdgeStackProps) {
    super(scope, id, props);
    const { domainName, certificateArn, firewall } = edge;
    const common = this.behavior(this.origin(httpApi, edge));
    const { distributionDomainName } = new Distribution(this, "Distribution", {
      comment: this.stackName,
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, "Certificate", certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      // North America and Europe, from which other regions are served. All regions would cost up to twice as
      // much.
      priceClass: PriceClass.PRICE_CLASS_100,
      webAclId: firewall,
      errorResponses: failures.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      defaultBehavior: {
        ...common,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
      },
      additionalBehaviors: {
        [lastingFiles]: { ...common, cachePolicy: CachePolicy.CACHING_OPTIMIZED, compress: true },
      },
    });
    new CfnOutput(this, "EdgeUrl", {
      value: `https://${domainName}/`,
      description: "Where clients reach the service",
    });
    new CfnOutput(this, "EdgeTarget", {
      value: distributionDomainName,
      description: `The target of the CNAME or alias record of ${domainName}`,
    });
  }

  /** API Gateway's own address, with the header that proves that the call came through CloudFront. */
  private origin({ apiId }: HttpApi, { secret }: EdgeSettings): IOrigin {
    return new HttpOrigin(`${apiId}.execute-api.${this.region}.${this.urlSuffix}`, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // Functions answer within 29 seconds.
      readTimeout: Duration.seconds(30),
      keepaliveTimeout: Duration.seconds(60),
      // CloudFormation resolves the secret when it deploys, so the template contains only its ARN.
      customHeaders: { [edgeHeaders.proof]: SecretValue.secretsManager(secret).unsafeUnwrap() },
    });
  }

  private behavior(origin: IOrigin): BehaviorOptions {
    const viewer = new EdgeFunction(this, "Viewer", {
      // The default name does not contain the deployment's, and names must be unique in the AWS account.
      functionName: `${this.stackName}-viewer`,
      comment: "Adds the viewer's address and the host that it called",
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(viewerFunction),
    });
    return {
      origin,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // A redirect would come after a key was sent in plain text.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
  }
}
