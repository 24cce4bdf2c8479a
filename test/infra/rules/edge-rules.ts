/** CloudFront and its firewall, which two settings bring: the whole app with them and without them. */
import { runInNewContext } from "node:vm";
import { describe, expect, inject, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { signInsOf, sortFunctions } from "../../../infra/catalog.ts";
import { viewerFunction } from "../../../infra/stacks/edge-stack.ts";
import { dependenciesOf, readAssembly, resources } from "../apps/assembly.ts";
import { deployedFunctions } from "../apps/deployed.ts";
import { digests, type EdgeApps, edge, secret } from "../apps/edge-apps.ts";
import { edgeCosts } from "../apps/idle-costs.ts";
import { at, list } from "../apps/json.ts";

export const edgeRules = ({ whole, lesser }: EdgeApps): void => {
  const { assembly } = whole;
  const plain = readAssembly(inject("assembly"));
  /** The stacks that the settings bring. */
  const brought = ["Edge", "Firewall"];

  const edgeTypes = ["AWS::CloudFront::Distribution", "AWS::CloudFront::Function", "AWS::WAFv2::WebACL"];
  const [distribution] = resources(assembly, "AWS::CloudFront::Distribution");
  const config = at(distribution?.properties, "DistributionConfig");
  const variablesOf = (from: typeof assembly) =>
    [...deployedFunctions(from)].map(
      ([key, { properties }]) => [key, at(properties, "Environment", "Variables")] as const,
    );

  test("without the settings, no template has anything of them", () => {
    expect(edgeTypes.flatMap((type) => resources(plain, type))).toEqual([]);
    expect([...plain.templates.keys()]).not.toContain("Edge");
    for (const [, variables] of variablesOf(plain)) expect(variables).not.toHaveProperty("EDGE_DIGESTS");
  });

  test("they bring two stacks, and change nothing of the others but a variable of functions", () => {
    const withoutVariable = (name: string, value: unknown) => (name === "EDGE_DIGESTS" ? undefined : value);
    // The id of a function's version ends with a digest of the function.
    const digest = /(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g;
    const textOf = (from: typeof assembly, stack: string) =>
      JSON.stringify(from.templates.get(stack), withoutVariable)?.replace(digest, "");
    const stacks = [...assembly.templates.keys()];

    const differing = stacks.filter((stack) => textOf(assembly, stack) !== textOf(plain, stack));

    expect(differing.toSorted()).toEqual(brought);
    expect(stacks).toHaveLength(plain.templates.size + brought.length);
  });

  test("every function that answers HTTP asks for the proof, and no other does", () => {
    const asking = variablesOf(assembly).filter(
      ([, variables]) => at(variables, "EDGE_DIGESTS") !== undefined,
    );

    const answering = Object.entries(functions).filter(([, { type }]) =>
      ["endpoint", "page", "health-check", "fallback"].includes(type),
    );
    expect(asking.map(([key]) => key).sort()).toEqual(answering.map(([key]) => key).sort());
    for (const [, variables] of asking) {
      expect(at(variables, "EDGE_DIGESTS")).toBe(digests.join(" "));
      expect(variables).not.toHaveProperty("EDGE_DIRECT");
    }
  });

  test("functions answer calls around CloudFront as long as the setting says so", () => {
    const asking = variablesOf(lesser.assembly).filter(([, all]) => at(all, "EDGE_DIGESTS") !== undefined);

    expect(asking.length).toBeGreaterThan(5);
    for (const [, variables] of asking) expect(variables).toMatchObject({ EDGE_DIRECT: "answered" });
  });

  describe("CloudFront", () => {
    test("hands on every call as it is but for its host, and keeps no answer", () => {
      const behavior = at(config, "DefaultCacheBehavior");

      expect(behavior).toMatchObject({
        AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
        // AWS's own: CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
        OriginRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
        ViewerProtocolPolicy: "https-only",
      });
      const kept = list(at(config, "CustomErrorResponses")).filter(
        (one) => at(one, "ErrorCachingMinTTL") !== 0,
      );
      expect(kept).toEqual([]);
      expect(list(at(config, "CustomErrorResponses")).map((one) => at(one, "ErrorCode"))).toContain(404);
    });

    test("keeps the files of the documentation alone", () => {
      expect(at(config, "CacheBehaviors")).toMatchObject([
        // AWS's own: CachingOptimized.
        {
          PathPattern: "/apirest/v4/oms/docs/*",
          // The viewer's address reaches the service for these, too.
          OriginRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
          CachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6",
          ViewerProtocolPolicy: "https-only",
        },
      ]);
    });

    test("proves itself with the secret, which stands in no template", () => {
      expect(at(config, "Origins")).toMatchObject([
        {
          CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
          OriginCustomHeaders: [
            {
              HeaderName: "x-origin-verify",
              HeaderValue: `{{resolve:secretsmanager:${secret}:SecretString:::}}`,
            },
          ],
        },
      ]);
    });

    test("is reached by the domain, and asks the firewall", () => {
      expect(config).toMatchObject({
        Aliases: [edge.domainName],
        WebACLId: edge.firewall,
        ViewerCertificate: { AcmCertificateArn: edge.certificateArn, MinimumProtocolVersion: "TLSv1.2_2021" },
      });
    });

    test("shares no name with another deployment of the account", () => {
      const names = edgeTypes.flatMap((type) =>
        resources(assembly, type).flatMap(({ properties }) => at(properties, "Name") ?? []),
      );

      expect(names).toEqual(["oiw-edge-viewer", "oiw-firewall"]);
    });

    test("is deployed after all functions, so that they accept a new secret before it is sent", () => {
      expect(dependenciesOf(assembly, "Edge")).toContain("Stage");
    });

    test("tells the viewer's address and host, whatever the viewer claims", () => {
      const headers = {
        host: { value: "api.example.com" },
        "true-client-ip": { value: "127.0.0.1" },
        "x-forwarded-host": { value: "elsewhere.example.com" },
        key: { value: "a key" },
      };

      const sent: unknown = runInNewContext(`${viewerFunction}; handler(event)`, {
        event: { viewer: { ip: "192.0.2.7" }, request: { method: "GET", uri: "/", headers } },
      });

      expect(sent).toMatchObject({
        headers: {
          host: { value: "api.example.com" },
          "true-client-ip": { value: "192.0.2.7" },
          "x-forwarded-host": { value: "api.example.com" },
          key: { value: "a key" },
        },
      });
    });
  });

  describe("the firewall", () => {
    const [acl] = resources(assembly, "AWS::WAFv2::WebACL");
    const rules = list(at(acl?.properties, "Rules"));
    const limitOf = (name: string) =>
      at(
        rules.find((one) => at(one, "Name") === name),
        "Statement",
        "RateBasedStatement",
      );

    test("limits what an address sends, as the setting says", () => {
      expect(limitOf("requests")).toEqual({ AggregateKeyType: "IP", EvaluationWindowSec: 300, Limit: 5_000 });
    });

    test("limits sign-ins more tightly, on every route that checks a password or a code", () => {
      const matches = list(at(limitOf("sign-ins"), "ScopeDownStatement", "OrStatement", "Statements")).map(
        (one) => list(at(one, "AndStatement", "Statements")).map((part) => at(part, "ByteMatchStatement")),
      );
      const routes = matches.map((parts) => parts.map((part) => at(part, "SearchString")));
      const spellings = matches.map(([, path]) =>
        list(at(path, "TextTransformations")).map((one) => at(one, "Type")),
      );

      expect(at(limitOf("sign-ins"), "Limit")).toBe(300);
      expect(routes).toEqual(signInsOf(sortFunctions(functions)).map(({ method, path }) => [method, path]));
      expect(spellings).toEqual(routes.map(() => ["URL_DECODE", "NORMALIZE_PATH"]));
    });

    test("shows nobody a sample of calls, whose headers hold keys", () => {
      const seen = [acl?.properties, ...rules].map((one) =>
        at(one, "VisibilityConfig", "SampledRequestsEnabled"),
      );

      expect(seen).toEqual([false, false, false]);
    });

    test("answers 429 in the service's own shape", () => {
      const body = String(at(acl?.properties, "CustomResponseBodies", "refused", "Content"));

      for (const rule of rules)
        expect(at(rule, "Action", "Block", "CustomResponse")).toMatchObject({
          ResponseCode: 429,
          ResponseHeaders: [{ Name: "retry-after", Value: "60" }],
        });
      expect(JSON.parse(body)).toEqual({ response: { success: false, message: expect.any(String) } });
    });

    test("lies in the one region where AWS takes it", () => {
      expect(at(assembly.manifest, "artifacts", "Firewall", "environment")).toBe(
        "aws://unknown-account/us-east-1",
      );
    });
  });

  edgeCosts(() => assembly);
};
