import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { readStyle } from "./read-style.ts"
import { MapFileError } from "./run-build-process.ts"

test("of a style, only what draws the archive's tiles is kept", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "style-"))
  t.after(() => rm(folder, { recursive: true }))
  const read = async (style: unknown) => {
    const path = join(folder, "style.json")
    await writeFile(path, typeof style === "string" ? style : JSON.stringify(style))
    return readStyle(path, "vector")
  }
  const line = { id: "roads", type: "line", source: "streets", "source-layer": "road" }
  const text = await read({
    version: 8,
    glyphs: "https://other.example/{fontstack}/{range}.pbf",
    sprite: "https://other.example/sprite",
    sources: {
      streets: { type: "vector", url: "https://other.example/tiles.json" },
      photos: { type: "raster", tiles: ["https://other.example/{z}/{x}/{y}.png"] },
      notes: { type: "geojson", data: "https://other.example/notes.json" },
    },
    layers: [{ id: "ground", type: "background" }, line, { id: "notes", type: "line", source: "notes" }],
  })
  assert.equal(text.includes("other.example"), false)
  assert.deepEqual(JSON.parse(text), {
    version: 8,
    sources: { streets: { type: "vector" } },
    layers: [{ id: "ground", type: "background" }, line],
  })
  const broken: unknown[] = [
    "{",
    "null",
    { version: 8, layers: [] },
    { version: 8, sources: { a: null }, layers: [] },
    { version: 8, sources: {}, layers: [null] },
    { version: 8, sources: {}, layers: [{ id: "x" }] },
    { version: 7, sources: {}, layers: [] },
  ]
  for (const style of broken) await assert.rejects(read(style), MapFileError, JSON.stringify(style))
})
