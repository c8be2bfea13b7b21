import { copyFile, open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ArchiveError, openArchive, tileTypes } from "#packages/vector-tiles/index.ts"
import { streetsFile, styleFile } from "../files.ts"
import type { BuilderOutput, MapDescription } from "./builder.ts"
import { readStyle } from "./read-style.ts"
import { MapFileError } from "./run-build-process.ts"

/** A ready-made PMTiles archive with its style becomes a map as it is. Undefined for other files, such as extracts. */
export async function adoptArchive(
  { path, stylePath }: { readonly path: string; readonly stylePath?: string },
  folder: string,
): Promise<{ map: MapDescription; report: BuilderOutput["report"] } | undefined> {
  const file = await open(path)
  try {
    const start = Buffer.alloc(7)
    await file.read(start, 0, 7, 0)
    if (start.toString("latin1") !== "PMTiles") return undefined
    const { size } = await file.stat()
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    const archive = await openArchive(read, size)
    await archive.check()
    const { header } = archive
    const metadata = (await archive.metadata()) as { attribution?: unknown; schema?: unknown } | null
    const isVector = header.tileType === tileTypes.mvt
    const isOurs = metadata?.schema === "fieldway-1"
    if (stylePath)
      await writeFile(join(folder, styleFile), await readStyle(stylePath, isVector ? "vector" : "raster"))
    else if (isVector && !isOurs)
      throw new MapFileError(
        "Vector tiles of another schema need their style. Add it with --style style.json",
      )
    await copyFile(path, join(folder, streetsFile))
    const attribution = typeof metadata?.attribution === "string" ? plainText(metadata.attribution) : ""
    const { south, north } = header
    // Across the antimeridian, the map covers all longitudes.
    const [west, east] = header.west < header.east ? [header.west, header.east] : [-180, 180]
    return {
      map: {
        attribution: attribution || "© OpenStreetMap contributors",
        west,
        south,
        east,
        north,
        dataTime: null,
      },
      report: { tiles: header.addressedTiles },
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw new MapFileError(error.message, { cause: error })
    throw error
  } finally {
    await file.close()
  }
}

/** Attributions in archives often are HTML. */
const plainText = (html: string) =>
  html
    .slice(0, 1_000)
    .replace(/<[^<>]{0,300}>/g, "")
    .replaceAll("&copy;", "©")
    .trim()
    .slice(0, 200)
