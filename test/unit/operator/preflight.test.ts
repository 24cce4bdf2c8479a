import { describe, expect, test } from "vitest";
import {
  judgeBootstrap,
  judgeConcurrency,
  judgeRegion,
  regionsOf,
} from "../../../infra/operator/preflight/account.ts";
import { unchecked } from "../../../infra/operator/preflight/check.ts";
import { judgeLeftovers, ownedNames } from "../../../infra/operator/preflight/leftovers.ts";
import {
  judgeBackupCopies,
  judgeBackups,
  judgeCertificate,
  judgeCertificateRegion,
  judgeDistributions,
  type NamedCertificate,
} from "../../../infra/operator/preflight/settings.ts";
import { isOwnStack, judgeStack } from "../../../infra/operator/preflight/stacks.ts";
import { settingsIn } from "../../../infra/settings.ts";
import { runOperator } from "../../support/store/operator.ts";

const region = "eu-west-1";
const place = { account: "111122223333", region };

describe("the checks of an account", () => {
  test.each([
    [undefined, "error", "npx cdk bootstrap aws://111122223333/eu-west-1"],
    [5, "error", "npx cdk bootstrap aws://111122223333/eu-west-1"],
    [6, "ok", null],
    [30, "ok", null],
  ])("a bootstrap of version %s is %s if version 6 is required", (found, severity, what_to_do) => {
    expect(judgeBootstrap(found, 6, place)).toMatchObject({ severity, what_to_do });
  });

  test.each([
    [10, "error"],
    [99, "error"],
    [100, "warning"],
    [999, "warning"],
    [1000, "ok"],
  ])("a limit of %i concurrent executions is %s", (executions, severity) => {
    expect(judgeConcurrency(executions, "eu-west-1").severity).toBe(severity);
  });

  test("a region other than the home of replicated tables is an error", () => {
    const replicas = { home: "eu-central-1", others: ["eu-west-1"] };
    const settings = settingsIn((name) => (name === "replicas" ? replicas : undefined));

    expect(judgeRegion({ region: "eu-west-1", settings })).toMatchObject({
      severity: "error",
      what_to_do: "export AWS_REGION=eu-central-1",
    });
    expect(judgeRegion({ region: "eu-central-1", settings }).severity).toBe("ok");
  });
});

describe("the check of stacks", () => {
  const onStack = "--region eu-west-1 --stack-name oiw-data";
  const delete_ = `aws cloudformation delete-stack ${onStack}`;

  const unprotect = `aws cloudformation update-termination-protection --no-enable-termination-protection ${onStack}`;
  const isBusy = expect.stringContaining("another deployment is in progress");
  const isDeleted = expect.stringContaining("deletes it");

  test.each([
    ["CREATE_FAILED", false, "error", delete_],
    ["DELETE_FAILED", false, "error", delete_],
    ["UPDATE_ROLLBACK_FAILED", false, "error", `aws cloudformation continue-update-rollback ${onStack}`],
    ["ROLLBACK_COMPLETE", true, "error", `${unprotect} && ${delete_}`],
    ["ROLLBACK_COMPLETE", false, "note", isDeleted],
    ["ROLLBACK_FAILED", undefined, "note", isDeleted],
    ["CREATE_IN_PROGRESS", undefined, "error", isBusy],
    ["UPDATE_IN_PROGRESS", undefined, "error", isBusy],
    ["UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", undefined, "error", isBusy],
  ] as const)(
    "a stack in %s, protected: %s, is an %s, with what resolves it",
    (StackStatus, EnableTerminationProtection, severity, remedy) => {
      const found = judgeStack({ StackName: "oiw-data", StackStatus, EnableTerminationProtection }, region);

      expect(found?.severity).toBe(severity);
      expect([found?.what_to_do, found?.text]).toContainEqual(remedy);
    },
  );

  test("the firewall's stack is the only one that is checked in us-east-1", () => {
    const target = { region, settings: settingsIn((name) => (name === "firewall" ? {} : undefined)) };
    const names = ["oiw-firewall", "oiw-data", "other-firewall"];
    const own = (at: string) => names.filter((StackName) => isOwnStack({ StackName }, at, target));

    expect(regionsOf(target)).toEqual(["eu-west-1", "us-east-1"]);
    expect(own("us-east-1")).toEqual(["oiw-firewall"]);
    expect(own(region)).toEqual(["oiw-firewall", "oiw-data"]);
  });

  test.each([
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "REVIEW_IN_PROGRESS",
  ] as const)("a stack in %s can be deployed to", (StackStatus) => {
    expect(judgeStack({ StackName: "oiw-data", StackStatus }, region)).toBeUndefined();
  });
});

describe("leftovers", () => {
  const kept = [
    { kind: "table", name: "oiw-data-orders-A" },
    { kind: "table", name: "oiw-data-orders-B" },
    { kind: "vault", name: "oiw-0123456789ab" },
    { kind: "secret", name: "SigningSecret-A", arn: "arn:aws:secretsmanager:::secret:SigningSecret-A-x" },
  ] as const;

  test("a resource that belongs to no stack is a warning with the command that deletes it", () => {
    const found = judgeLeftovers(kept, new Set(["oiw-data-orders-B"]), region);

    expect(found.map(({ severity }) => severity)).toEqual(["warning", "warning", "warning"]);
    expect(found.map(({ what_to_do }) => what_to_do)).toEqual([
      expect.stringContaining("aws dynamodb delete-table --region eu-west-1 --table-name oiw-data-orders-A"),
      expect.stringContaining(
        "aws backup delete-backup-vault --region eu-west-1 --backup-vault-name oiw-0123456789ab",
      ),
      expect.stringContaining(
        "aws secretsmanager delete-secret --region eu-west-1 --secret-id SigningSecret-A",
      ),
    ]);
  });

  test("a resource of the data stack, the backups stack or a setting is no finding", async () => {
    const held: Readonly<Record<string, readonly string[]>> = {
      "oiw-data": ["oiw-data-orders-A", "arn:aws:secretsmanager:::secret:SigningSecret-A-x"],
      "oiw-backups": ["oiw-0123456789ab"],
    };
    const settings = { deployment: "oiw", restoredTables: { inventory: { name: "oiw-data-orders-B" } } };
    const owned = await ownedNames(settings, async (stack) => held[stack] ?? []);

    expect(judgeLeftovers(kept, owned, region).map(({ severity }) => severity)).toEqual(["ok"]);
  });
});

describe("the check of certificates", () => {
  const named: NamedCertificate = {
    setting: "edge.certificateArn",
    arn: "arn:aws:acm:eu-west-1:111122223333:certificate/a",
    region: "us-east-1",
    domainName: "api.example.com",
  };

  test("a certificate in the wrong region is an error", () => {
    const { severity, text } = judgeCertificateRegion(named) ?? {};

    expect([severity, text]).toEqual(["error", expect.stringContaining("must be in us-east-1")]);
    expect(judgeCertificateRegion({ ...named, region: "eu-west-1" })).toBeUndefined();
  });

  test.each([
    ["ISSUED", ["api.example.com"], "ok", "is issued"],
    ["ISSUED", ["*.example.com"], "ok", "is issued"],
    ["ISSUED", ["example.com", "*.api.example.com"], "error", "not for api.example.com"],
    ["PENDING_VALIDATION", ["api.example.com"], "error", "is pending validation"],
    ["EXPIRED", ["api.example.com"], "error", "is EXPIRED"],
    ["VALIDATION_TIMED_OUT", ["api.example.com"], "error", "is VALIDATION_TIMED_OUT"],
  ] as const)("a certificate that is %s for %j is judged as %s", (Status, names, severity, text) => {
    const found = judgeCertificate(named, { Status, SubjectAlternativeNames: [...names] });

    expect([found.severity, found.text]).toEqual([severity, expect.stringContaining(text)]);
  });
});

describe("the checks of settings", () => {
  test.each([
    [{ DynamoDB: true }, "ok", "ok"],
    [{ DynamoDB: false }, "warning", "error"],
    [{}, "warning", "error"],
  ])(
    "AWS Backup with the opt-ins %j backs up: %s, and copies to another vault: %s",
    (of, backups, copies) => {
      expect(judgeBackups(of, "eu-west-1").severity).toBe(backups);
      expect(judgeBackupCopies(of, "eu-west-1").severity).toBe(copies);
    },
  );

  test("an account without CloudFront distributions is a warning", () => {
    const [none, one] = [0, 1].map((count) => judgeDistributions(count, "trial"));

    expect([none?.severity, one?.severity]).toEqual(["warning", "ok"]);
    expect(none?.what_to_do).toContain("trial-edge");
  });

  test.each([
    [["-c", "backups=weekly"], "The setting backups must be one of off, daily."],
    [["-c", "backup=daily"], "There is no setting backup;"],
    [["-c", "backups"], "--context must be name=value"],
    [["--deployment", "Trial"], "The setting deployment must be 1 to 20 lowercase letters and digits"],
  ])("an invalid setting is rejected before AWS is called: %j", async (options, message) => {
    const { status, stderr } = await runOperator(["preflight", ...options]);

    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

test("a check without permission is a warning with what AWS says, and not an error", () => {
  const message = "User: arn:aws:iam::1:user/ada is not authorized to perform: dynamodb:ListTables";
  const rejection = Object.assign(new Error(message), { name: "AccessDeniedException" });

  expect(unchecked(rejection)).toMatchObject({
    severity: "warning",
    text: `The check was denied: ${message}`,
  });
});
