import assert from "node:assert/strict"
import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import { test } from "node:test"
import { deflateSync, gzipSync } from "node:zlib"
import fc from "fast-check"
import { ExtractError, type ExtractErrorCode, openExtract } from "./index.ts"
import {
  dataBlock,
  extractBytes,
  extractFile,
  frame,
  headerBlock,
  message,
  rawBlob,
  zlibBlob,
} from "./testing/encode.ts"

const head = frame("OSMHeader", zlibBlob(headerBlock()))
const withData = (blob: Uint8Array) => Buffer.concat([head, frame("OSMData", blob)])
const valid = extractBytes(
  {
    nodes: [
      { id: 1, lat: 1, lon: 1, tags: { a: "b" } },
      { id: 2, lat: 2, lon: 2 },
    ],
  },
  { ways: [{ id: 1, refs: [1, 2, 3], tags: { highway: "service" } }] },
  {
    relations: [{ id: 1, members: [{ type: "way", ref: 1, role: "outer" }], tags: { type: "multipolygon" } }],
  },
)
/** A field that announces a gigabyte and contains nothing. */
const longField = (field: number) =>
  message((writer) => {
    writer.writeTag(field, 2)
    writer.writeVarint(2 ** 30)
  })
const denseNode = (id: number, lat: number, lon: number) =>
  message((writer) => {
    writer.writeStringField(99, "unknown fields are skipped")
    const dense = message((into) => {
      into.writePackedSVarint(1, [id])
      into.writePackedSVarint(8, [lat])
      into.writePackedSVarint(9, [lon])
    })
    writer.writeBytesField(
      2,
      message((into) => into.writeBytesField(2, dense)),
    )
  })
const unitsOf = (degrees: number) => degrees * 1e7

const files: readonly (readonly [name: string, bytes: Uint8Array, code: ExtractErrorCode])[] = [
  ["empty", new Uint8Array(0), "empty"],
  ["one byte", Uint8Array.of(0), "not-an-extract"],
  ["text", Buffer.from("type,name\n1,2\n"), "not-an-extract"],
  ["XML", Buffer.from('<?xml version="1.0"?><osm/>'), "not-an-extract"],
  ["gzip", gzipSync("x".repeat(100)), "not-an-extract"],
  ["another first block", frame("OSMData", zlibBlob(dataBlock({}))), "not-an-extract"],
  ["truncated", valid.subarray(0, valid.length - 5), "truncated"],
  ["truncated header", Buffer.concat([head, Buffer.of(0, 0, 0, 13, 10)]), "truncated"],
  ["a header of 1 GB", Buffer.concat([head, Buffer.of(64, 0, 0, 0), head]), "damaged"],
  ["a blob beyond the end", Buffer.concat([head, blobOfSize(10_000_000)]), "truncated"],
  ["a blob of 3 GB", Buffer.concat([head, blobOfSize(3e9)]), "damaged"],
  ["a decompression bomb", withData(bomb(100 * 1024 * 1024, 0)), "damaged"],
  ["a bomb that declares little", withData(bomb(30 * 1024 * 1024, 1000)), "damaged"],
  ["a declared size of 1 GB", withData(bomb(1000, 2 ** 30)), "damaged"],
  ["lzma", withData(message((writer) => writer.writeBytesField(4, Buffer.from("x")))), "unsupported"],
  ["no content", withData(new Uint8Array(0)), "damaged"],
  [
    "damaged zlib data",
    withData(message((writer) => writer.writeBytesField(3, Buffer.from("x")))),
    "damaged",
  ],
  ["a block of 1 GB text", withData(rawBlob(longField(1))), "damaged"],
  ["a text of 1 GB", withData(rawBlob(message((w) => w.writeBytesField(1, longField(1))))), "damaged"],
  ["a group of 1 GB", withData(rawBlob(longField(2))), "damaged"],
  ["a text of 100 kB", withData(zlibBlob(dataBlock(tagged("x".repeat(100_000))))), "damaged"],
  ["an id of 64 bits", withData(rawBlob(denseNode(2 ** 62, 0, 0))), "damaged"],
  ["a latitude of 91", withData(rawBlob(denseNode(1, unitsOf(91), 0))), "damaged"],
  ["a longitude of -181", withData(rawBlob(denseNode(1, 0, unitsOf(-181)))), "damaged"],
  ["nodes without coordinates", withData(rawBlob(shortColumns())), "damaged"],
  ["a tag without text", withData(rawBlob(wayWithUnknownText())), "damaged"],
]

function blobOfSize(size: number): Buffer {
  const header = message((writer) => {
    writer.writeStringField(1, "OSMData")
    writer.writeVarintField(3, size)
  })
  return Buffer.concat([Buffer.of(0, 0, 0, header.length), header])
}

function bomb(bytes: number, declared: number): Uint8Array {
  return message((writer) => {
    writer.writeVarintField(2, declared)
    writer.writeBytesField(3, deflateSync(Buffer.alloc(bytes), { level: 1 }))
  })
}

function tagged(value: string) {
  return { nodes: [{ id: 1, lat: 0, lon: 0, tags: { name: value } }] }
}

function shortColumns(): Uint8Array {
  const dense = message((writer) => writer.writePackedSVarint(1, [1, 1, 1]))
  return message((writer) =>
    writer.writeBytesField(
      2,
      message((group) => group.writeBytesField(2, dense)),
    ),
  )
}

function wayWithUnknownText(): Uint8Array {
  const way = message((writer) => {
    writer.writeVarintField(1, 1)
    writer.writePackedVarint(2, [77])
    writer.writePackedVarint(3, [78])
  })
  return message((writer) =>
    writer.writeBytesField(
      2,
      message((group) => group.writeBytesField(3, way)),
    ),
  )
}

async function readTags(bytes: Uint8Array): Promise<void> {
  const path = await extractFile(bytes)
  try {
    const extract = await openExtract(path)
    try {
      for await (const { nodes } of extract.blocks({ nodes: true, ways: true, relations: true }))
        for (let index = 0; index < (nodes?.count ?? 0); index += 1) nodes?.tags(index)
    } finally {
      await extract.close()
    }
  } finally {
    await rm(dirname(path), { recursive: true })
  }
}

for (const [name, bytes, code] of files)
  test(`rejects ${name}`, async () => {
    await assert.rejects(readTags(bytes), (error) => {
      assert.ok(error instanceof ExtractError, String(error))
      assert.equal(error.code, code, error.message)
      return true
    })
  })

test("a missing file is reported", async () => {
  await assert.rejects(openExtract("/nowhere/region.osm.pbf"), /cannot be read.*region/)
})

test("arbitrary changes of bytes are read or rejected, never anything else", async () => {
  const change = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(change, async (changes) => {
      const bytes = Buffer.from(valid)
      for (const [at, value] of changes) bytes[at] = value
      await readTags(bytes).catch((error) => {
        if (!(error instanceof ExtractError)) throw error
      })
    }),
    { numRuns: process.env.FIELDWAY_LONG ? 20_000 : 100 },
  )
})

test("arbitrary content of a block is read or rejected, never anything else", async () => {
  const plain = dataBlock({
    nodes: [{ id: 1, lat: 1, lon: 1, tags: { a: "b" } }],
    ways: [{ id: 1, refs: [1, 2, 3], tags: { highway: "service" } }],
    relations: [{ id: 1, members: [{ type: "way", ref: 1, role: "outer" }], tags: { type: "multipolygon" } }],
  })
  const change = fc.array(fc.tuple(fc.nat(plain.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(change, async (changes) => {
      const bytes = Buffer.from(plain)
      for (const [at, value] of changes) bytes[at] = value
      await readTags(withData(rawBlob(bytes))).catch((error) => {
        if (!(error instanceof ExtractError)) throw error
      })
    }),
    { numRuns: process.env.FIELDWAY_LONG ? 20_000 : 100 },
  )
})
