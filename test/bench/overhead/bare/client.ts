/** What a handler that is written by hand reads its data with. */
import { createHash, timingSafeEqual } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

export type Event = APIGatewayProxyEventV2;
export type Answer = APIGatewayProxyStructuredResultV2;

export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const answer = (statusCode: number, body: object): Answer => ({
  statusCode,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Whether the account's key was sent: one read, as in the service. */
export async function isKnown({ headers }: Event): Promise<boolean> {
  const { Item } = await client.send(
    new GetCommand({
      TableName: process.env["TABLE_IDENTITY"],
      Key: { pk: `account#${headers["accountid"]}`, sk: "-" },
      ConsistentRead: true,
    }),
  );
  const sent = createHash("sha256")
    .update(headers["key"] ?? "")
    .digest();
  return Item?.["activated"] === true && timingSafeEqual(sent, Buffer.from(String(Item["key_hash"]), "hex"));
}
