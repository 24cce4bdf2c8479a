/** The settings of CloudFront and its firewall. `settings.ts` reads them with all others. */
import * as z from "zod";

/** A value that is JSON on the command line and plain in `cdk.json`. */
export const written = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue("is no JSON");
      return z.NEVER;
    }
  }, schema);

/** The name of a host that clients call. */
export const domainName = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    "must be a domain such as api.example.com",
  );

/** Requests that one address may send within five minutes. AWS WAF accepts no limit below 10. */
const rate = z.int().min(10, "must be at least 10").max(2_000_000_000, "must be at most 2,000,000,000");

export const firewall = z.strictObject({
  /** All requests of an address. A warehouse usually has one address for all of its devices. */
  requests: rate.default(20_000),
  /** Of these requests, those that check a password or a code. */
  signIns: rate.default(300),
});
export type FirewallSettings = z.output<typeof firewall>;

const webAcl = /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/;
const edgeCertificate = /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;
const secretArn = /^arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/;

export const edge = z.strictObject({
  /** The web ACL that CloudFront evaluates for each request. */
  firewall: z.string().regex(webAcl, "must be the ARN of a web ACL for CloudFront, in us-east-1"),
  domainName,
  certificateArn: z.string().regex(edgeCertificate, "must be the ARN of a certificate in us-east-1"),
  /** The secret by which CloudFront proves itself, in Secrets Manager in the deployment's region. */
  secret: z.string().regex(secretArn, "must be the ARN of a secret"),
  /** The SHA-256 of each accepted secret: more than one while the secret is rotated. */
  digests: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hexadecimal"))
    .min(1, "must name at least one SHA-256"),
  /** What happens to calls that bypass CloudFront. */
  direct: z.enum(["refused", "answered"], "must be refused or answered").default("refused"),
});
export type EdgeSettings = z.output<typeof edge>;
