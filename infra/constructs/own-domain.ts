import type { App } from "aws-cdk-lib";

/** A domain of the operator's, and the certificate for it, which lies in the region of the deployment. */
export interface OwnDomain {
  readonly domainName: string;
  readonly certificateArn: string;
}

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const certificate = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;

/** A value of the context, `-c name=value`; undefined where it is not stated or empty. */
export const textContext = (app: App, name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/**
 * The domain that the context states, if any: `domainName` and `certificateArn`.
 * @throws where one is stated without the other, or is none, so that a slip is found before anything is deployed
 */
export const ownDomain = (app: App): OwnDomain | undefined => {
  const [domainName, certificateArn] = [textContext(app, "domainName"), textContext(app, "certificateArn")];
  if (domainName === undefined && certificateArn === undefined) return undefined;
  if (domainName === undefined || !hostName.test(domainName))
    throw new Error(`"${domainName ?? ""}" is no domain; write domainName like api.example.com`);
  if (certificateArn === undefined || !certificate.test(certificateArn))
    throw new Error(`"${certificateArn ?? ""}" is no certificate; write certificateArn as ACM shows it`);
  return { domainName, certificateArn };
};
