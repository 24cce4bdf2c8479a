/** What may not be stated of CloudFront and its firewall. */
import { describe, expect, test } from "vitest";
import { edge } from "../apps/edge-apps.ts";
import type { SmallApps } from "../apps/small-apps.ts";

export const edgeSettingRules = ({ refused }: SmallApps): void => {
  describe("settings that make no sense are refused", () => {
    const elsewhere = edge.certificateArn.replace("us-east-1", "eu-west-1");
    test.each([
      [
        { edge: { ...edge, certificateArn: elsewhere } },
        "edge.certificateArn must be the ARN of a certificate in us-east-1",
      ],
      [{ edge: { ...edge, firewall: "none" } }, "edge.firewall must be the ARN of a web ACL"],
      [{ edge: { ...edge, secret: "hunter2" } }, "edge.secret must be the ARN of a secret"],
      [{ edge: { ...edge, digests: [] } }, "edge.digests must name at least one SHA-256"],
      [{ edge: { ...edge, digests: ["hunter2"] } }, "edge.digests.0 must be a SHA-256"],
      [{ edge: { ...edge, direct: "perhaps" } }, "edge.direct must be refused or answered"],
      [{ edge: "cloudfront" }, "edge is no JSON"],
      [{ firewall: { requests: 9 } }, "firewall.requests must be at least 10"],
      [
        { edge, gatewayAddress: "off", domainName: "b.example.com", certificateArn: elsewhere },
        "gatewayAddress must be on with an edge",
      ],
    ])("%j", (context, words) => {
      expect(refused(context)).toThrow(words);
    });
  });
};
