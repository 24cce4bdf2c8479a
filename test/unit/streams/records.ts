import type { DynamoDBRecord } from "aws-lambda";

export const variables = { TABLE_ORDERS: "oiw-data-orders46FA7C19", TABLE_INVENTORY: "oiw-data-inventory" };

/** A record as Lambda hands it to a function: of an order's item. */
export const recordOf = (number: number, more: Partial<DynamoDBRecord> = {}): DynamoDBRecord => ({
  eventID: `event-${number}`,
  eventName: "MODIFY",
  eventVersion: "1.1",
  eventSource: "aws:dynamodb",
  awsRegion: "us-east-1",
  eventSourceARN: `arn:aws:dynamodb:us-east-1:123456789012:table/${variables.TABLE_ORDERS}/stream/2026-01-31T08:00:00.000`,
  dynamodb: {
    ApproximateCreationDateTime: 1_769_846_400,
    Keys: { pk: { S: "order#1" }, sk: { S: "-" } },
    OldImage: { pk: { S: "order#1" }, sk: { S: "-" }, version: { N: String(number - 1) } },
    NewImage: { pk: { S: "order#1" }, sk: { S: "-" }, version: { N: String(number) } },
    SequenceNumber: String(number).padStart(21, "0"),
    StreamViewType: "NEW_AND_OLD_IMAGES",
  },
  ...more,
});
