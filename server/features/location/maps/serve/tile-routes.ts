import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "#core/http/types.ts"
import { compressions, tileTypes } from "#packages/vector-tiles/index.ts"
import { mapLayers } from "#shared/map-style/layers.ts"
import { mapErrors } from "../errors.ts"
import { styleFile } from "../files.ts"
import { checkMapReader, signedQuery } from "./access.ts"
import { mapStoreOf, type OpenedMap } from "./map-store.ts"

const contentTypes: Readonly<Record<number, string>> = {
  [tileTypes.mvt]: "application/vnd.mapbox-vector-tile",
  [tileTypes.png]: "image/png",
  [tileTypes.jpeg]: "image/jpeg",
  [tileTypes.webp]: "image/webp",
  [tileTypes.avif]: "image/avif",
}
const gunzipAsync = promisify(gunzip)
const maxTileBytes = 32 * 1024 * 1024
const oneDay = "private, max-age=86400"

/** `/maps/{name}/…`: tiles, the whole archive with ranges, and the style. */
export function mapTileRoutes(app: App): void {
  const store = mapStoreOf({ sql: app.sql, objects: app.objects, config: app.settings })

  async function findMap(request: FastifyRequest, name: string): Promise<OpenedMap> {
    await checkMapReader(app, request, name)
    const map = await store.opened(name)
    if (!map) throw mapErrors.notFound()
    return map
  }

  app.get<{ Params: { name: string; z: string; x: string; y: string }; Querystring: { v?: string } }>(
    "/maps/:name/:z/:x/:y",
    {
      schema: { hide: true },
      async handler(request, reply) {
        const { name } = request.params
        const map = await findMap(request, name)
        const place = readPlace(request.params)
        if (!place) throw mapErrors.notFound()
        const { region, archive } = map
        const etag = `"${region.version}"`
        reply.header("etag", etag).header("vary", "accept-encoding")
        reply.header("cache-control", request.query.v === region.version ? oneDay : "private, no-cache")
        if (isUnchanged(request, etag)) return reply.code(304).send()
        const tile = await archive.tile(place.zoom, place.x, place.y)
        if (!tile) return reply.code(204).send()
        reply.header("content-type", contentTypes[archive.header.tileType] ?? "application/octet-stream")
        reply.header("x-content-type-options", "nosniff")
        return sendTile(request, reply, tile, archive.header.tileCompression)
      },
    },
  )

  app.get<{ Params: { name: string } }>("/maps/:name/streets.pmtiles", {
    schema: { hide: true },
    async handler(request, reply) {
      const { region, path } = await findMap(request, request.params.name)
      return sendRange(request, reply, path, region.files["streets.pmtiles"] ?? 0, `"${region.version}"`)
    },
  })

  app.get<{ Params: { name: string }; Querystring: { theme?: string } }>("/maps/:name/style.json", {
    schema: { hide: true },
    async handler(request, reply) {
      const map = await findMap(request, request.params.name)
      reply.header("cache-control", "private, no-cache").type("application/json")
      const path = await store.localFile(map.region, styleFile)
      const own = path === undefined ? undefined : await readFile(path, "utf8")
      const scheme = request.query.theme === "dark" ? "dark" : "light"
      return reply.send(JSON.stringify(styleOf(map, own, scheme)))
    },
  })

  /** Addresses are absolute, as programs outside the console need them, and signed. */
  function styleOf(
    { region, archive }: OpenedMap,
    own: string | undefined,
    scheme: "light" | "dark",
  ): unknown {
    const { header } = archive
    const extension = header.tileType === tileTypes.mvt ? "mvt" : "png"
    const query = `v=${region.version}&${signedQuery(app, region.name)}`
    const source = {
      type: header.tileType === tileTypes.mvt ? "vector" : "raster",
      tiles: [`${app.settings.publicUrl}/maps/${region.name}/{z}/{x}/{y}.${extension}?${query}`],
      minzoom: header.minZoom,
      maxzoom: header.maxZoom,
      bounds: [region.west, region.south, region.east, region.north],
      attribution: region.attribution,
    }
    if (own === undefined)
      return {
        version: 8,
        name: region.name,
        sources: { [region.name]: source },
        layers: mapLayers(region.name, scheme, { isRaster: source.type === "raster" }),
      }
    const style = JSON.parse(own) as { sources?: Record<string, { type?: string }> }
    const sources = Object.entries(style.sources ?? {}).map(([id, given]) => [
      id,
      given.type === "vector" || given.type === "raster" ? source : given,
    ])
    return { ...style, sources: Object.fromEntries(sources) }
  }
}

function readPlace({ z, x, y }: { z: string; x: string; y: string }) {
  const row = /^(\d{1,8})\.(?:mvt|pbf|png|jpg|webp|avif)$/.exec(y)?.[1]
  if (row === undefined || !/^\d{1,2}$/.test(z) || !/^\d{1,8}$/.test(x)) return undefined
  const place = { zoom: Number(z), x: Number(x), y: Number(row) }
  const size = 2 ** place.zoom
  return place.zoom <= 24 && place.x < size && place.y < size ? place : undefined
}

function isUnchanged(request: FastifyRequest, etag: string): boolean {
  const known = request.headers["if-none-match"]
  return known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false
}

async function sendTile(request: FastifyRequest, reply: FastifyReply, tile: Buffer, compression: number) {
  if (compression === compressions.gzip) {
    if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? "")))
      return reply.send(await gunzipAsync(tile, { maxOutputLength: maxTileBytes }))
    reply.header("content-encoding", "gzip")
  }
  return reply.send(tile)
}

/** One range, as readers of PMTiles ask for; several get the whole file, which the standard allows. */
function sendRange(request: FastifyRequest, reply: FastifyReply, path: string, bytes: number, etag: string) {
  reply.header("accept-ranges", "bytes").header("etag", etag).header("cache-control", "private, no-cache")
  reply.header("content-type", "application/vnd.pmtiles")
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "")
  const isSame = request.headers["if-range"] === undefined || request.headers["if-range"] === etag
  if (!match || !isSame || (match[1] === "" && match[2] === "")) {
    if (isUnchanged(request, etag)) return reply.code(304).send()
    return reply.header("content-length", bytes).send(createReadStream(path))
  }
  const [, first = "", last = ""] = match
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === "" || last === "" ? bytes - 1 : Math.min(bytes - 1, Number(last))
  if (start > end || start >= bytes) return reply.code(416).header("content-range", `bytes */${bytes}`).send()
  return reply
    .code(206)
    .header("content-range", `bytes ${start}-${end}/${bytes}`)
    .header("content-length", end - start + 1)
    .send(createReadStream(path, { start, end }))
}
