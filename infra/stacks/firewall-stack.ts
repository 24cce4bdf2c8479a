import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import type { Route } from "../../shared/runtime/contract.ts";
import type { FirewallSettings } from "../edge-settings.ts";

interface FirewallStackProps extends StackProps {
  readonly limits: FirewallSettings;
  /** The routes that check passwords or codes. */
  readonly signIns: readonly Route[];
}

/** The body of a 429 from the firewall, in the shape of the service's own. */
const blockedBody = {
  response: {
    success: false,
    message: "Too many requests came from this address; try again in some minutes",
  },
};

/**
 * The distribution's web ACL, with two limits for each address. AWS accepts it only in us-east-1. The setting
 * `edge` passes its ARN to the stacks in the deployment's own region.
 */
export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string, { limits, signIns, ...props }: FirewallStackProps) {
    super(scope, id, props);
    const acl = new CfnWebACL(this, "WebAcl", {
      name: this.stackName,
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: seenAs("all"),
      customResponseBodies: {
        refused: { contentType: "APPLICATION_JSON", content: JSON.stringify(blockedBody) },
      },
      rules: [
        rateRule("sign-ins", 0, limits.signIns, anyOf(signIns.map(isRoute))),
        rateRule("requests", 1, limits.requests),
      ],
    });
    new CfnOutput(this, "WebAclArn", {
      value: acl.attrArn,
      description: "The value for firewall in the setting edge",
    });
  }
}

/** Counting is free. Samples would show the headers of calls, which contain the keys of accounts. */
const seenAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** Blocks an address that exceeds its limit of requests in five minutes: requests in the scope, or all. */
const rateRule = (
  name: string,
  priority: number,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: "refused",
        responseHeaders: [{ name: "retry-after", value: "60" }],
      },
    },
  },
  visibilityConfig: seenAs(name),
  statement: {
    rateBasedStatement: {
      limit,
      aggregateKeyType: "IP",
      evaluationWindowSec: 300,
      ...(scopeDownStatement === undefined ? {} : { scopeDownStatement }),
    },
  },
});

const isExactly = (
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  searchString: string,
  ...transformations: readonly string[]
): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch,
    positionalConstraint: "EXACTLY",
    searchString,
    textTransformations: transformations.map((type, priority) => ({ priority, type })),
  },
});

/**
 * The path is decoded and normalized first, so that other spellings that API Gateway accepts are also
 * counted.
 */
const isRoute = ({ method, path }: Route): CfnWebACL.StatementProperty => ({
  andStatement: {
    statements: [
      isExactly({ method: {} }, method, "NONE"),
      isExactly({ uriPath: {} }, path, "URL_DECODE", "NORMALIZE_PATH"),
    ],
  },
});

/** AWS WAF rejects an OR of fewer than two statements. */
function anyOf(statements: readonly CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty {
  const [first, ...others] = statements;
  if (first === undefined) throw new Error("A limit of sign-ins needs a route that signs in.");
  return others.length === 0 ? first : { orStatement: { statements: [...statements] } };
}
