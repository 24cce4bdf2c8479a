import type { AttributeValue, DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { place } from "../../deployment-place.ts";
import { parseJson } from "../../json.ts";

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

/** A record as `GetRecords` gives it. */
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

/** A record as Lambda hands it to a function. */
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
  awsRegion: place.region,
  eventSourceARN,
  ...(userIdentity && {
    userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
  }),
});

/** The most that Lambda hands over at once, in bytes. */
const largestEvent = 6 * 1024 * 1024;

/** As many of the records as one event holds, from the first on. One record fits always. */
export const fitting = (records: readonly StreamRecord[]): readonly StreamRecord[] => {
  let size = 0;
  const end = records.findIndex(({ dynamodb }, position) => {
    size += dynamodb.SizeBytes;
    return position > 0 && size > largestEvent;
  });
  return end < 0 ? records : records.slice(0, end);
};

/** Bytes of all these records. */
export const sizeOf = (records: readonly StreamRecord[]): number =>
  records.reduce((sum, { dynamodb }) => sum + dynamodb.SizeBytes, 0);

const failuresSchema = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish(),
});

/**
 * How many of the records, from the first on, are handled according to the function's answer. None is where
 * the answer is not understood, or names a record that was not among them. Of several that failed, the first
 * one counts.
 *
 * @param payload the function's answer as JSON
 */
export const handledOf = (payload: string, records: readonly StreamRecord[]): number => {
  const result = parseJson(payload);
  if (result === null || result === "") return records.length;
  const parsed = failuresSchema.safeParse(result);
  if (!parsed.success) return 0;
  const failed = (parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  return Math.max(0, Math.min(records.length, ...failed));
};
