/** The shell commands of the operators' guide, which the rehearsal runs as the pages show them. */
import { shellOfGuide } from "../support/guide.ts";
import { shell } from "./commands.ts";
import { awsAccount, type Emulator, region } from "./emulator/emulator.ts";
import { existing, outputsOf, stacksOf, streamOf, tableNamesIn, tablesOf } from "./emulator/stacks.ts";
import type { Store } from "./emulator/store.ts";
import type { Steps } from "./steps.ts";

/** What the commands work on. */
interface Subjects {
  readonly emulator: Emulator;
  readonly url: string;
  readonly store: Store;
  readonly table: string;
  readonly signingSecret: string;
}

interface GuideCommand {
  /** How the code begins. */
  readonly begins: string;
  /** What is put for words of the code that stand for others. */
  readonly values?: (subjects: Subjects) => Readonly<Record<string, string>>;
  /** @throws if the commands had another effect than the guide says */
  readonly check?: (subjects: Subjects, said: string) => Promise<void> | void;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const secretOf = async ({ emulator, signingSecret }: Subjects): Promise<readonly string[]> => {
  const read = `aws secretsmanager get-secret-value --secret-id ${signingSecret} --query SecretString --output text`;
  return (await shell(emulator, read)).stdout.trim().split(" ");
};

const restored = ({ table }: Subjects): string => `${table}-restored`;
/** The first line of this code defines a shell function that other code calls. */
const stopAll = "functions() {";

/** Each call starts a Python of its own, so these are the functions of one stack, and one of another. */
const someFunctions = {
  "starts_with(FunctionName, 'oiw-')":
    "starts_with(FunctionName, 'oiw-jobs-') || contains(FunctionName, 'omsping')",
};

/** They run in this order. */
export const guideCommands: readonly GuideCommand[] = [
  {
    begins: "aws sts get-caller-identity",
    check: (_, said) => must(said.includes(awsAccount), "another account"),
  },
  {
    begins: "curl -X POST",
    values: ({ url, store }) => ({
      $API_URL: url,
      "'AccountID: 100'": `'AccountID: ${store.accountId}'`,
      "'Key: ...'": `'Key: ${store.key}'`,
    }),
    check: (_, said) => must(said.includes('"pong"'), said),
  },
  {
    begins: "secret=$(openssl",
    check: (_, said) =>
      must(/^arn:aws:secretsmanager:\S+\n[0-9a-f]{64} /.test(said), `no ARN and digest: ${said}`),
  },
  {
    begins: "arn=...",
    values: ({ signingSecret }) => ({ "arn=...": `arn=${signingSecret}` }),
    check: async (subjects) => {
      const [secret = "", ...others] = await secretOf(subjects);
      must(secret.length === 64 && others.length === 0, "the new secret is not alone");
    },
  },
  { begins: "aws secretsmanager put-secret-value", values: () => ({ ARN: "oiw-edge-1" }) },
  { begins: "aws iam create-open-id-connect-provider" },
  {
    begins: "aws lambda get-account-settings",
    check: (_, said) => must(Number(said) > 0, `no quota: ${said}`),
  },
  { begins: "aws backup list-backup-jobs" },
  {
    begins: "aws acm describe-certificate",
    values: () => ({
      ARN: "$(aws acm request-certificate --domain-name api.example.com --query CertificateArn --output text)",
    }),
  },
  { begins: "aws cloudformation describe-stack-events" },
  {
    begins: stopAll,
    values: () => someFunctions,
    check: async ({ store }) => {
      const { status } = await store.oms.post("/ping", {});
      must(status >= 400, `a stopped service answered ${status}`);
    },
  },
  {
    begins: "aws dynamodb restore-table-to-point-in-time",
    values: (subjects) => ({ OLD: subjects.table, NEW: restored(subjects), TIME: new Date().toISOString() }),
  },
  {
    begins: "aws dynamodb update-table --table-name NEW --deletion-protection-enabled",
    values: (subjects) => ({ "--table-name NEW": `--table-name ${restored(subjects)}` }),
    check: async (subjects) =>
      must((await streamOf(subjects.emulator, restored(subjects))) !== undefined, "no stream"),
  },
  {
    begins: "aws dynamodb describe-table",
    values: (subjects) => ({ NAME: restored(subjects) }),
    check: (_, said) => must(said.includes(`${region}:${awsAccount}:table/`), `no stream: ${said}`),
  },
  { begins: "for one in $(functions); do\n", values: () => someFunctions },
  {
    begins: "for one in $(functions); do aws lambda delete",
    values: () => someFunctions,
    check: async ({ store }) => {
      const { status } = await store.oms.post("/ping", {});
      must(status === 200, `a service that was started again answered ${status}`);
    },
  },
  {
    begins: "aws dynamodb update-table --table-name NAME --no-deletion-protection-enabled",
    values: (subjects) => ({ NAME: restored(subjects) }),
    check: async (subjects) =>
      must(!(await tableNamesIn(subjects.emulator)).includes(restored(subjects)), "the table is still there"),
  },
  {
    begins: "aws cloudformation delete-stack",
    values: () => ({ NAME: "oiw-observability" }),
    check: async ({ emulator }) => {
      await shell(emulator, "aws cloudformation wait stack-delete-complete --stack-name oiw-observability");
      const names = (await stacksOf(emulator)).map(({ StackName }) => StackName);
      must(!names.includes("oiw-observability"), "the stack is still there");
    },
  },
];

/** Code with values for its words. */
const filledIn = (code: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [word, value]) => text.replaceAll(word, () => value), code);

const codeOf = (begins: string): string => {
  const found = shellOfGuide.find(({ code }) => code.startsWith(begins));
  if (found === undefined) throw new Error(`The guide has no command ${begins}`);
  return found.code;
};

/** Runs the commands of the guide that can be rehearsed, on a deployment. */
export async function followGuide({ step }: Steps, emulator: Emulator, url: string, store: Store) {
  await step("runs the shell commands of the operators' guide as its pages show them", async () => {
    const { TABLE_ORDERS: table = "" } = await tablesOf(emulator);
    const signingSecret = existing(await outputsOf(emulator, "oiw-data"), "SigningSecretArn");
    const subjects = { emulator, url, store, table, signingSecret };
    for (const { begins, values, check } of guideCommands) {
      const before = begins.includes("$(functions)") ? codeOf(stopAll).split("\n")[0] : "";
      const script = filledIn(`${before}\n${codeOf(begins)}`, values?.(subjects) ?? {});
      const { stdout } = await shell(emulator, script);
      await check?.(subjects, stdout);
    }
    return `${guideCommands.length} pieces of code`;
  });
}
