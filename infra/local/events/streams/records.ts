import type { AttributeValue, DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { awsEnvironment } from "../../aws-environment.ts";
import { failedOf } from "../records.ts";

type Image = Record<string, AttributeValue>;

const image = z.custom<Image>();

/** DynamoDB Local omits the type of an empty map in its streams. */
const withMaps = (value: AttributeValue): AttributeValue => {
  if (Object.keys(value).length === 0) return { M: {} };
  if (value.L !== undefined) return { L: value.L.map(withMaps) };
  return value.M === undefined ? value : { M: whole(value.M) };
};

const whole = (delivered: Image): Image =>
  Object.fromEntries(Object.entries(delivered).map(([name, value]) => [name, withMaps(value)]));

/** A record as `GetRecords` returns it. */
export const streamRecord = z.object({
  eventID: z.string(),
  eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
  eventVersion: z.string(),
  dynamodb: z.object({
    /** Seconds since 1970. DynamoDB Local rounds them down to the minute. */
    ApproximateCreationDateTime: z.number(),
    Keys: image,
    NewImage: image.optional(),
    OldImage: image.optional(),
    SequenceNumber: z.string(),
    SizeBytes: z.number(),
    StreamViewType: z.literal("NEW_AND_OLD_IMAGES"),
  }),
  userIdentity: z.object({ PrincipalId: z.string(), Type: z.string() }).optional(),
});

export type StreamRecord = z.infer<typeof streamRecord>;

/** A record as Lambda passes it to a function. */
export const toLambda = (
  { userIdentity, dynamodb: { NewImage, OldImage, ...rest }, ...record }: StreamRecord,
  eventSourceARN: string,
): DynamoDBRecord => ({
  ...record,
  dynamodb: {
    ...rest,
    ...(NewImage && { NewImage: whole(NewImage) }),
    ...(OldImage && { OldImage: whole(OldImage) }),
  },
  eventSource: "aws:dynamodb",
  awsRegion: awsEnvironment.region,
  eventSourceARN,
  ...(userIdentity && {
    userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
  }),
});

/** Maximum bytes of an event in Lambda. */
const maxEventBytes = 6 * 1024 * 1024;

/** The first records, as many as one event holds. One record always fits. */
export const fitting = (records: readonly StreamRecord[]): readonly StreamRecord[] => {
  let size = 0;
  const end = records.findIndex(({ dynamodb }, position) => {
    size += dynamodb.SizeBytes;
    return position > 0 && size > maxEventBytes;
  });
  return end < 0 ? records : records.slice(0, end);
};

/** Bytes of all these records. */
export const sizeOf = (records: readonly StreamRecord[]): number =>
  records.reduce((sum, { dynamodb }) => sum + dynamodb.SizeBytes, 0);

/**
 * The number of records, from the first on, before the first one that failed according to the function's
 * answer.
 *
 * @param payload the function's answer as JSON
 */
export const handledOf = (payload: string, records: readonly StreamRecord[]): number => {
  const failed = failedOf(
    payload,
    records.map(({ dynamodb }) => dynamodb.SequenceNumber),
  );
  const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
  return first < 0 ? records.length : first;
};
