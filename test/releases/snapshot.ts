/** The snapshot of a release: all items that it stored, and what its API answered. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { functions } from "../../functions/index.ts";
import { dayOf } from "../../shared/common/times.ts";
import { dayAttribute } from "../../shared/events/feed-repository.ts";
import type { RawItem } from "../../shared/store/dynamodb/reads.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";
import { at, listAt } from "../support/http/client.ts";
import type { Content } from "../support/records/demo-data.ts";
import type { Service } from "../support/runtime/service.ts";

/** What a call was answered. */
export interface Answered {
  readonly call: string;
  readonly status: number;
  readonly body: unknown;
}

/** The releases of which there are snapshots. */
export const releases = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

export const folderOf = (release: string): string => join(import.meta.dirname, release);

/** No item of a snapshot may expire: in the year 2100, epoch seconds. */
const never = 4_102_444_800;

/** JSON has no bytes. */
const replacer = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
const reviver = (_: string, value: unknown): unknown => {
  const bytes = at(value, "bytes");
  return typeof bytes === "string" ? new Uint8Array(Buffer.from(bytes, "base64")) : value;
};

/** Stands for every secret of a webhook, so that no real one is committed. */
const noSecret = `whsec_${Buffer.from("no secret, but a snapshot's text").toString("base64")}`;

const lineOf = (item: RawItem): string => {
  const kept = {
    ...item,
    ...("expires_at" in item && { expires_at: never }),
    ...("secret" in item && { secret: noSecret }),
  };
  return JSON.stringify(marshall(kept), (name, value: unknown) =>
    // `Uint8Array` has no JSON of its own, and `Buffer` has one that is not wanted.
    replacer(name, value),
  );
};

export function writeSnapshot(
  release: string,
  contents: readonly Content[],
  answers: readonly Answered[],
): void {
  mkdirSync(folderOf(release), { recursive: true });
  for (const { table, items } of contents)
    writeFileSync(join(folderOf(release), `${table}.jsonl`), `${items.map(lineOf).sort().join("\n")}\n`);
  writeFileSync(join(folderOf(release), "answers.json"), `${JSON.stringify(answers, null, 1)}\n`);
}

const itemsIn = (release: string, table: TableName): readonly RawItem[] =>
  readFileSync(join(folderOf(release), `${table}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => retained(unmarshall(JSON.parse(line, reviver))));

/** An item as if its events had been published today: the feed's head says by day which ones are retained. */
const retained = (item: RawItem): RawItem => {
  const today = dayAttribute(dayOf(new Date().toISOString()));
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name.startsWith("day:") ? today : name, value]),
  );
};

export const contentsIn = (release: string): readonly Content[] =>
  tableNames.map((table) => ({ table, items: itemsIn(release, table) }));

export const answersIn = (release: string): readonly Answered[] =>
  JSON.parse(readFileSync(join(folderOf(release), "answers.json"), "utf8"));

/**
 * An answer without what records have gained since release 1.0.0: their versions, which are numbers. The
 * versions of events are texts.
 */
const addedFields: readonly string[] = ["lag_seconds", "actions", "held", "request_id"];

const withoutAdded = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      addedFields.includes(name) || (name === "version" && typeof value === "number") ? undefined : value,
    ),
  );

/**
 * Every way to ask for what is stored: the paths of all endpoints that read, with the ids of what there is.
 */
export async function answersOf({ oms, wms }: Pick<Service, "oms" | "wms">): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  const ask = async (call: string): Promise<Answered> => {
    const by = call.startsWith("/apirest/v4/wms") ? wms : oms;
    const { status, body } = await by.get(call.replace(/^\/apirest\/v4\/(?:oms|wms)/, ""));
    return { call, status, body: withoutAdded(body) };
  };
  for (const call of [...(await calls(oms)), ...filteredCalls]) {
    const answer = await ask(call);
    answers.push(answer);
    // What counts records, and where pages begin, is stored apart from them.
    if (Number(at(answer.body, "pagination.total") ?? 0) > 1)
      answers.push(await ask(`${call}${call.includes("?") ? "&" : "?"}per_page=1&page=2`));
  }
  return answers;
}

/** Calls that go by what finds records. */
const filteredCalls: readonly string[] = [
  "/apirest/v4/oms/orders?status_id=4",
  "/apirest/v4/oms/orders/DEMO-1?identify_by=order_number",
  "/apirest/v4/oms/inventory/products?sku=RELEASE-CRATE",
];

/** The values of the parameters in paths, from the lists that show them. */
async function calls(oms: Service["oms"]): Promise<readonly string[]> {
  const idsOf = async (path: string, field: string): Promise<readonly string[]> =>
    listAt((await oms.get(path)).body, "data").map((one) => encodeURIComponent(String(at(one, field))));
  const skus = await idsOf("/inventory/products", "sku");
  const [products, orders, aliases] = await Promise.all([
    idsOf("/inventory/products", "product_id"),
    idsOf("/orders", "order_id"),
    idsOf("/inventory/aliases", "alias_id"),
  ]);
  const jobs = await idsOf("/events?types=correction.applied", "subject.id");
  const values: Readonly<Record<string, readonly string[]>> = {
    "/orders/{order}": orders,
    "/inventory/products/{prod_identifier}": skus,
    "/inventory/products/{product_id}/uom": products,
    "/inventory/replenishments/{replenishment}": await idsOf("/inventory/replenishments", "replenishment_id"),
    "/inventory/returns/{return}": await idsOf("/inventory/returns", "return_id"),
    "/inventory/stock/{sku}/movements": skus,
    "/distribution_centers/{distribution_center_id}": ["1", "2"],
    "/manufacture/{order}": await idsOf("/manufacture", "manufacture_id"),
    "/serials/{sku}/{serial}": (await idsOf("/serials?sku=RELEASE-CRATE", "serial")).map(
      (serial) => `RELEASE-CRATE/${serial}`,
    ),
    "/attributes/{owner_type}/{owner_id}": products.map((id) => `product/${id}`),
    "/inventory/synsets/{synset}": await idsOf("/inventory/synsets", "synset_id"),
    "/inventory/aliases/{alias}": aliases,
    "/webhooks/{webhook_id}": await idsOf("/webhooks", "webhook_id"),
    "/webhooks/{webhook_id}/deliveries": await idsOf("/webhooks", "webhook_id"),
    "/recount/{correction_id}": jobs,
    "/jobs/{job_id}": jobs,
    "/inventory/products/{product_id}/bin": products,
  };
  return readingPaths().flatMap((path) => filled(path, values));
}

/** Paths that release 1.0.0 did not serve. */
const addedPaths = /\/inventory\/holds/;

const readingPaths = (): readonly string[] =>
  Object.values(functions).flatMap((contract) =>
    contract.type === "endpoint" &&
    contract.method === "GET" &&
    contract.auth !== "v2" &&
    !addedPaths.test(contract.path)
      ? [contract.path]
      : [],
  );

function filled(path: string, values: Readonly<Record<string, readonly string[]>>): readonly string[] {
  if (!path.includes("{")) return [path.endsWith("/serials") ? `${path}?sku=RELEASE-CRATE` : path];
  const known = values[path.replace(/^\/apirest\/v4\/(?:oms|wms)/, "")];
  if (known === undefined || known.length === 0) throw new Error(`there is nothing to ask ${path} for`);
  const [begin = "", ...parts] = path.split(/\{.*\}/);
  return known.map((value) => `${begin}${value}${parts.join("")}`);
}
