/** Where an archive is kept: a file, or an object in S3. Neither is ever overwritten. */
import { createReadStream, existsSync } from "node:fs";
import { link, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { Unreadable } from "../../../shared/store/layouts/layouts.ts";

export interface ArchiveStore {
  /** As the operator named it. */
  readonly name: string;
  readonly isThere: () => Promise<boolean>;
  /** What is kept there; undefined if nothing is. */
  readonly read: () => Promise<Readable | undefined>;
  /**
   * Keeps what `write` writes to the file that it is given: whole, or not at all if `write` answers false.
   * @throws if something is kept there already
   */
  readonly keep: (write: (file: string) => Promise<boolean>) => Promise<void>;
}

/** The signal ends an upload. */
export const archiveStore = (name: string, interruption = new AbortController().signal): ArchiveStore => {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(name) ?? [];
  return bucket === undefined || key === undefined ? fileAt(name) : objectAt(name, bucket, key, interruption);
};

function fileAt(name: string): ArchiveStore {
  const unfinished = `${name}.part`;
  return {
    name,
    isThere: async () => existsSync(name),
    read: async () => (existsSync(name) ? createReadStream(name) : undefined),
    keep: async (write) => {
      try {
        // A run that was suspended may still write what it has opened, so another never shares its file.
        await rm(unfinished, { force: true });
        // Unlike renaming, linking fails if there is such a file.
        if (await write(unfinished)) await link(unfinished, name);
      } finally {
        await rm(unfinished, { force: true });
      }
    },
  };
}

/** The region of the bucket may differ. Names of buckets with dots have no certificate as hosts. */
const newClient = () => new S3Client({ followRegionRedirects: true, forcePathStyle: true });

function objectAt(name: string, Bucket: string, Key: string, abortSignal: AbortSignal): ArchiveStore {
  const read = async () => {
    try {
      const { Body } = await newClient().send(new GetObjectCommand({ Bucket, Key }));
      if (Body === undefined || !("pipe" in Body)) throw new Unreadable(`${name} has no content`);
      return Body;
    } catch (error) {
      if (error instanceof S3ServiceException && error.name === "NoSuchKey") return undefined;
      throw error;
    }
  };
  return {
    name,
    read,
    isThere: async () => {
      const found = await read();
      found?.destroy();
      return found !== undefined;
    },
    keep: async (write) => {
      const folder = await mkdtemp(join(tmpdir(), "archive-"));
      const file = join(folder, "archive.jsonl.gz");
      try {
        if (!(await write(file))) return;
        const { size: ContentLength } = await stat(file);
        const Body = createReadStream(file);
        const put = new PutObjectCommand({ Bucket, Key, Body, ContentLength, IfNoneMatch: "*" });
        await newClient().send(put, { abortSignal });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
