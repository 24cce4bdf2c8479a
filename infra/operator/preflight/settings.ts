/** Checks of what settings refer to. A setting that is not made needs none. */
import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from "@aws-sdk/client-acm";
import { BackupClient, DescribeRegionSettingsCommand } from "@aws-sdk/client-backup";
import { CloudFrontClient, ListDistributionsCommand } from "@aws-sdk/client-cloudfront";
import { ownDomain } from "../../settings.ts";
import { type Check, error, type Found, note, ok, warning } from "./finding.ts";

/** A certificate that a setting names. */
export interface NamedCertificate {
  readonly setting: "certificateArn" | "edge.certificateArn";
  readonly arn: string;
  /** Where it has to lie. */
  readonly region: string;
  readonly domainName: string;
}

const regionIn = (arn: string): string => arn.split(":")[3] ?? "";

/** Judges where a certificate lies; undefined if it is where it has to be. */
export function judgeCertificateRegion({
  setting,
  arn,
  region,
  domainName,
}: NamedCertificate): Found | undefined {
  const found = regionIn(arn);
  if (found === region) return undefined;
  return error(
    `The setting ${setting} names a certificate in ${found || "no region"}; it must lie in ${region}.`,
    `aws acm request-certificate --region ${region} --validation-method DNS --domain-name ${domainName}`,
  );
}

/** The names for which a certificate holds. A wildcard stands for one label. */
const holdsFor = (names: readonly string[], domainName: string): boolean =>
  names.includes(domainName) || names.includes(domainName.replace(/^[^.]+/, "*"));

/** Judges a certificate that ACM knows. */
export function judgeCertificate(
  { setting, arn, region, domainName }: NamedCertificate,
  {
    Status: status,
    SubjectAlternativeNames: names = [],
  }: Pick<CertificateDetail, "Status" | "SubjectAlternativeNames">,
): Found {
  if (status === "PENDING_VALIDATION")
    return error(
      `The certificate of ${setting} waits for its validation.`,
      `Add the DNS records that this shows: aws acm describe-certificate --region ${region} --certificate-arn ${arn}`,
    );
  if (status !== "ISSUED")
    return error(
      `The certificate of ${setting} is ${status}.`,
      `aws acm request-certificate --region ${region} --validation-method DNS --domain-name ${domainName}`,
    );
  if (!holdsFor(names, domainName))
    return error(
      `The certificate of ${setting} is for ${names.join(", ")}, not for ${domainName}.`,
      `aws acm request-certificate --region ${region} --validation-method DNS --domain-name ${domainName}`,
    );
  return ok(`The certificate of ${setting} is issued for ${domainName}.`);
}

async function certificate(named: NamedCertificate): Promise<Found> {
  const misplaced = judgeCertificateRegion(named);
  if (misplaced !== undefined) return misplaced;
  const client = new ACMClient({ region: named.region });
  try {
    const { Certificate = {} } = await client.send(
      new DescribeCertificateCommand({ CertificateArn: named.arn }),
    );
    return judgeCertificate(named, Certificate);
  } catch (failure) {
    if (failure instanceof Error && failure.name === "ResourceNotFoundException")
      return error(
        `ACM knows no certificate ${named.arn}, which ${named.setting} names.`,
        `aws acm list-certificates --region ${named.region}`,
      );
    throw failure;
  } finally {
    client.destroy();
  }
}

export const certificates: Check = {
  name: "certificates",
  needs: ["acm:DescribeCertificate"],
  run: async ({ region, settings }) => {
    const { edge } = settings;
    const own = ownDomain(settings);
    const named: readonly NamedCertificate[] = [
      ...(own === undefined
        ? []
        : [
            {
              setting: "certificateArn",
              arn: own.certificateArn,
              region,
              domainName: own.domainName,
            } as const,
          ]),
      ...(edge === undefined
        ? []
        : [
            {
              setting: "edge.certificateArn",
              arn: edge.certificateArn,
              region: "us-east-1",
              domainName: edge.domainName,
            } as const,
          ]),
    ];
    return Promise.all(named.map(certificate));
  },
};

/**
 * Judges whether DynamoDB is opted in to AWS Backup in a region. By AWS's documentation, resources that a
 * plan names are backed up without that, as the tables of `backups=daily` are: so a missing opt-in is no
 * error.
 */
export function judgeBackups(optIns: Readonly<Record<string, boolean>>, region: string): Found {
  if (optIns["DynamoDB"] === true) return ok(`DynamoDB is opted in to AWS Backup in ${region}.`);
  return warning(
    `DynamoDB is not opted in to AWS Backup in ${region}. The plan of backups=daily names each table, and AWS documents that ` +
      "such tables are backed up all the same. On-demand backups need the opt-in.",
    `aws backup update-region-settings --region ${region} --resource-type-opt-in-preference DynamoDB=true`,
  );
}

export const backups: Check = {
  name: "AWS Backup",
  needs: ["backup:DescribeRegionSettings"],
  run: async ({ region, settings }) => {
    if (settings.backups === "off") return [];
    const client = new BackupClient({ region });
    try {
      const { ResourceTypeOptInPreference = {} } = await client.send(new DescribeRegionSettingsCommand());
      return [judgeBackups(ResourceTypeOptInPreference, region)];
    } finally {
      client.destroy();
    }
  },
};

/**
 * Judges whether the account can have distributions. AWS verifies a new account before its first
 * distribution, and offers no call that tells whether it has.
 */
export const judgeDistributions = (count: number): Found =>
  count > 0
    ? ok("The account has CloudFront distributions, so it is verified for them.")
    : warning(
        "The account has no CloudFront distribution. AWS may refuse the first one until it has verified the account, and no call tells whether it has.",
        'If oiw-edge fails with "Your account must be verified", open a case with AWS Support (account and billing), and deploy again.',
      );

export const cloudFront: Check = {
  name: "CloudFront",
  needs: ["cloudfront:ListDistributions"],
  run: async ({ settings: { edge } }) => {
    if (edge === undefined) return [];
    const client = new CloudFrontClient({ region: "us-east-1" });
    try {
      const { DistributionList } = await client.send(new ListDistributionsCommand({ MaxItems: 1 }));
      return [judgeDistributions(DistributionList?.Items?.length ?? 0)];
    } finally {
      client.destroy();
    }
  },
};

export const alarmMail: Check = {
  name: "alarms",
  needs: [],
  run: async ({ settings: { alarmEmail } }) =>
    alarmEmail === undefined
      ? [
          warning(
            "Nobody is mailed when an alarm begins.",
            'Write "alarmEmail" into the context of cdk.json, and confirm the mail that SNS sends.',
          ),
        ]
      : [note(`Alarms are mailed to ${alarmEmail}, once the address has confirmed the mail that SNS sends.`)],
};
