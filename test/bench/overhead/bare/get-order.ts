/**
 * `GET /oms/orders/{order}` as one would write it by hand: the same reads, and nothing is checked but the
 * key.
 */
import { brotliDecompressSync } from "node:zlib";
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { type Answer, answer, client, type Event, isKnown } from "./client.ts";

const TableName = process.env["TABLE_ORDERS"];

const readOrder = (id: string) =>
  client.send(
    new GetCommand({
      TableName,
      Key: { pk: `order#${Math.floor(Number(id) / 400)}`, sk: id.padStart(12, "0") },
      ConsistentRead: true,
    }),
  );

const readHistory = (id: string) =>
  client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": `history#${id}` },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1000,
    }),
  );

const unpacked = (bytes: Uint8Array) => JSON.parse(brotliDecompressSync(bytes).toString());

export const handler = async (event: Event): Promise<Answer> => {
  if (!(await isKnown(event))) return answer(401, { response: { success: false, message: "unauthorized" } });
  const id = event.pathParameters?.["order"] ?? "";
  const { Item } = await readOrder(id);
  if (Item === undefined || String(Item["account_id"]) !== event.headers["accountid"])
    return answer(404, { response: { success: false, message: "not found" } });
  const { recent, ...order } = unpacked(Item["content"]);
  const { Items = [] } = Item["version"] - recent.length > 1 ? await readHistory(id) : {};
  const earlier = Items.toReversed().flatMap(({ entries }) => unpacked(entries));
  return answer(200, { data: { ...order, history: [...earlier, ...recent] } });
};
