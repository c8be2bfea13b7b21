import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3"
import { trimOf } from "#packages/text/trim-characters.ts"
import { checkKey, type Objects } from "./objects.ts"
import { storeFailed } from "./store-faults.ts"

/**
 * How long a store may take to be reached, and may be silent. There is no limit of the whole time: a large file
 * on a slow line may take minutes as long as it moves.
 */
export const storeTimeouts = { connectMilliseconds: 3_000, silenceMilliseconds: 15_000 }

/**
 * Objects in a bucket of any S3-compatible store: `s3://bucket/prefix?endpoint=…&region=…`. Credentials come
 * from the usual AWS variables. A stream is spooled to a temporary file first, because the store wants to
 * know its length, and an upload that breaks must leave nothing behind.
 */
export function s3Objects(url: URL): Objects {
  const bucket = url.hostname
  const prefix = trimOf(url.pathname, "/")
  const endpoint = url.searchParams.get("endpoint")
  const client = new S3Client({
    region: url.searchParams.get("region") ?? "us-east-1",
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // A store that hangs must not block its callers: they get an error after twice its timeout.
    maxAttempts: 2,
    // It would write to the terminal itself; what fails is thrown, and logged once where it arrives.
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    requestHandler: {
      connectionTimeout: storeTimeouts.connectMilliseconds,
      socketTimeout: storeTimeouts.silenceMilliseconds,
    },
    // Other stores than AWS often do not take the checksums in trailers that the client would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  })
  const nameOf = (key: string) => (prefix ? `${prefix}/${key}` : key)

  async function* list(below: string): AsyncIterable<string> {
    let token: string | undefined
    do {
      const wanted = {
        Bucket: bucket,
        Prefix: nameOf(below),
        ...(token ? { ContinuationToken: token } : {}),
      }
      const page = await client.send(new ListObjectsV2Command(wanted)).catch(storeFailed)
      for (const entry of page.Contents ?? []) {
        if (entry.Key) yield prefix ? entry.Key.slice(prefix.length + 1) : entry.Key
      }
      token = page.NextContinuationToken
    } while (token)
  }

  return {
    async put(key, content) {
      const name = nameOf(checkKey(key))
      if (Buffer.isBuffer(content)) {
        const wanted = { Bucket: bucket, Key: name, Body: content }
        await client.send(new PutObjectCommand(wanted)).catch(storeFailed)
        return content.length
      }
      const folder = await mkdtemp(join(tmpdir(), "fieldway-upload-"))
      try {
        const path = join(folder, "content")
        await pipeline(content, createWriteStream(path))
        const { size } = await stat(path)
        const wanted = { Bucket: bucket, Key: name, Body: createReadStream(path), ContentLength: size }
        await client.send(new PutObjectCommand(wanted)).catch(storeFailed)
        return size
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async open(key) {
      const wanted = { Bucket: bucket, Key: nameOf(checkKey(key)) }
      const found = await client.send(new GetObjectCommand(wanted)).catch(missing)
      if (!(found?.Body instanceof Readable)) return undefined
      return { stream: found.Body, sizeBytes: found.ContentLength ?? 0 }
    },
    async openRanges(key) {
      const Key = nameOf(checkKey(key))
      const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key })).catch(missing)
      if (!found) return undefined
      return {
        bytes: found.ContentLength ?? 0,
        async read(offset, length) {
          if (length === 0) return Buffer.alloc(0)
          const Range = `bytes=${offset}-${offset + length - 1}`
          const part = await client
            .send(new GetObjectCommand({ Bucket: bucket, Key, Range }))
            .catch(storeFailed)
          return Buffer.from((await part.Body?.transformToByteArray()) ?? [])
        },
        close: async () => undefined,
      }
    },
    async remove(key) {
      const wanted = { Bucket: bucket, Key: nameOf(checkKey(key)) }
      await client.send(new DeleteObjectCommand(wanted)).catch(storeFailed)
    },
    async removeUnder(below) {
      let batch: string[] = []
      const flush = async () => {
        if (batch.length === 0) return
        const Objects = batch.map((key) => ({ Key: nameOf(key) }))
        const wanted = { Bucket: bucket, Delete: { Objects, Quiet: true } }
        await client.send(new DeleteObjectsCommand(wanted)).catch(storeFailed)
        batch = []
      }
      for await (const key of list(below.endsWith("/") ? below : `${below}/`)) {
        batch.push(key)
        if (batch.length === 1000) await flush()
      }
      await flush()
    },
    list,
  }
}

/** A key that the store does not have is a response; anything else is a failure. */
function missing(error: unknown): undefined {
  if (!["NotFound", "NoSuchKey"].includes((error as { name?: string }).name ?? "")) storeFailed(error)
}
