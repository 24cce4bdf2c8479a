/** Checks of the AWS resources that settings refer to. A check without its setting finds nothing. */
import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from "@aws-sdk/client-acm";
import { BackupClient, DescribeRegionSettingsCommand } from "@aws-sdk/client-backup";
import { CloudFrontClient, ListDistributionsCommand } from "@aws-sdk/client-cloudfront";
import { ownDomain, type Settings } from "../../settings.ts";
import { type Check, error, type Judgment, ok, warning } from "./check.ts";

export interface NamedCertificate {
  readonly setting: "certificateArn" | "edge.certificateArn";
  readonly arn: string;
  readonly region: string;
  readonly domainName: string;
}

const certificateRequest = ({ region, domainName }: NamedCertificate): string =>
  `aws acm request-certificate --region ${region} --validation-method DNS --domain-name ${domainName}`;

/** An error if the certificate is in the wrong region; undefined otherwise. */
export function judgeCertificateRegion(named: NamedCertificate): Judgment | undefined {
  const { setting, arn, region } = named;
  const found = arn.split(":")[3] ?? "";
  if (found === region) return undefined;
  return error(
    `The setting ${setting} names a certificate in ${found || "no region"}; it must be in ${region}.`,
    certificateRequest(named),
  );
}

/** Whether a certificate covers a domain. A wildcard stands for one label. */
const covers = (names: readonly string[], domainName: string): boolean =>
  names.includes(domainName) || names.includes(domainName.replace(/^[^.]+/, "*"));

export function judgeCertificate(
  named: NamedCertificate,
  {
    Status: status,
    SubjectAlternativeNames: names = [],
  }: Pick<CertificateDetail, "Status" | "SubjectAlternativeNames">,
): Judgment {
  const { setting, arn, region, domainName } = named;
  if (status === "PENDING_VALIDATION")
    return error(
      `The certificate of ${setting} is pending validation.`,
      `Add the DNS records that this command shows: aws acm describe-certificate --region ${region} --certificate-arn ${arn}`,
    );
  if (status !== "ISSUED")
    return error(`The certificate of ${setting} is ${status}.`, certificateRequest(named));
  if (!covers(names, domainName))
    return error(
      `The certificate of ${setting} is for ${names.join(", ")}, not for ${domainName}.`,
      certificateRequest(named),
    );
  return ok(`The certificate of ${setting} is issued for ${domainName}.`);
}

async function checkCertificate(named: NamedCertificate): Promise<Judgment> {
  const misplaced = judgeCertificateRegion(named);
  if (misplaced !== undefined) return misplaced;
  try {
    const { Certificate = {} } = await new ACMClient({ region: named.region }).send(
      new DescribeCertificateCommand({ CertificateArn: named.arn }),
    );
    return judgeCertificate(named, Certificate);
  } catch (failure) {
    if (failure instanceof Error && failure.name === "ResourceNotFoundException")
      return error(
        `The certificate ${named.arn} of ${named.setting} does not exist.`,
        `aws acm list-certificates --region ${named.region}`,
      );
    throw failure;
  }
}

function certificatesOf(settings: Settings, region: string): readonly NamedCertificate[] {
  const named = [
    { setting: "certificateArn", region, own: ownDomain(settings) },
    { setting: "edge.certificateArn", region: "us-east-1", own: settings.edge },
  ] as const;
  return named.flatMap(({ own, ...one }) =>
    own === undefined ? [] : [{ ...one, arn: own.certificateArn, domainName: own.domainName }],
  );
}

export const certificates: Check = ({ region, settings }) =>
  Promise.all(certificatesOf(settings, region).map(checkCertificate));

/**
 * Judges whether DynamoDB is opted in to AWS Backup. This is not an error: AWS documents that resources named
 * in a plan, as the tables of `backups=daily` are, are backed up without the opt-in.
 */
export function judgeBackups(optIns: Readonly<Record<string, boolean>>, region: string): Judgment {
  if (optIns["DynamoDB"] === true) return ok(`DynamoDB is opted in to AWS Backup in ${region}.`);
  return warning(
    `DynamoDB is not opted in to AWS Backup in ${region}. According to AWS, the plan of backups=daily works without the ` +
      "opt-in, because it names each table. On-demand backups require it.",
    `aws backup update-region-settings --region ${region} --resource-type-opt-in-preference DynamoDB=true`,
  );
}

/** Judges whether backups of DynamoDB can be copied: only those that AWS Backup itself manages. */
export const judgeBackupCopies = (managed: Readonly<Record<string, boolean>>, region: string): Judgment =>
  managed["DynamoDB"] === true
    ? ok(`AWS Backup has its advanced features for DynamoDB in ${region}.`)
    : error(
        `AWS Backup lacks its advanced features for DynamoDB in ${region}, without which it copies no backup to another vault.`,
        `aws backup update-region-settings --region ${region} --resource-type-management-preference DynamoDB=true`,
      );

export const backups: Check = async ({ region, settings }) => {
  if (settings.backups === "off") return [];
  const { ResourceTypeOptInPreference = {}, ResourceTypeManagementPreference = {} } = await new BackupClient({
    region,
  }).send(new DescribeRegionSettingsCommand());
  return [
    judgeBackups(ResourceTypeOptInPreference, region),
    ...(settings.backupCopies === undefined
      ? []
      : [judgeBackupCopies(ResourceTypeManagementPreference, region)]),
  ];
};

/**
 * AWS verifies a new account before its first distribution. No API call returns whether the account is
 * verified.
 */
export const judgeDistributions = (count: number, deployment: string): Judgment =>
  count > 0
    ? ok("The account has CloudFront distributions, so AWS has verified it for them.")
    : warning(
        "The account has no CloudFront distribution. AWS may reject the first one until it has verified the account, which no API call reports.",
        `If ${deployment}-edge fails with "Your account must be verified", open a case with AWS Support (account and billing), and deploy again.`,
      );

export const cloudFront: Check = async ({ settings: { deployment, edge } }) => {
  if (edge === undefined) return [];
  const { DistributionList } = await new CloudFrontClient({ region: "us-east-1" }).send(
    new ListDistributionsCommand({ MaxItems: 1 }),
  );
  return [judgeDistributions(DistributionList?.Items?.length ?? 0, deployment)];
};
