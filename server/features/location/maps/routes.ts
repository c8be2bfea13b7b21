import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import { FilePart } from "#core/http/openapi/openapi.ts"
import type { App } from "#core/http/types.ts"
import { mapErrors } from "./errors.ts"
import { sourceKey } from "./files.ts"
import {
  cancelBuild,
  checkMayManage,
  isRegionName,
  mayManageMaps,
  newBuildId,
  regionNameOf,
  removeMap,
  requestBuildBy,
} from "./manage.ts"
import { listBuilds, listRegions } from "./queries.ts"
import { MapBuildSchema, MapRegionSchema, toWireBuild, toWireRegion } from "./schemas.ts"

const Done = Type.Object({ status: Type.Literal(true), message: Type.String() })
const Requested = Type.Object({ status: Type.Literal(true), data: Type.Object({ buildId: Type.String() }) })
const maxBytes = 8 * 1024 ** 3
const maxStyleBytes = 4 * 1024 ** 2

/** Maps of the installation: which regions there are, and how they are added, replaced and removed. */
export function mapRoutes(app: App): void {
  const checkManager = (request: FastifyRequest) => checkMayManage(app.sql, app.settings, request.caller)

  app.get("/map-regions", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "listMapRegions",
      summary: "List the installation's maps and their builds",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({
            regions: Type.Array(MapRegionSchema),
            builds: Type.Array(MapBuildSchema, { description: "Only for organizations that manage maps" }),
            canManage: Type.Boolean(),
          }),
        }),
      },
    },
    async handler({ caller }) {
      const canManage = await mayManageMaps(app.sql, app.settings, caller)
      const [regions, builds] = await Promise.all([
        listRegions(app.sql),
        canManage ? listBuilds(app.sql) : [],
      ])
      return {
        status: true as const,
        data: { regions: regions.map(toWireRegion), builds: builds.map(toWireBuild), canManage },
      }
    },
  })

  app.post("/map-regions", {
    config: { permission: "edit/organization", body: "map", idempotent: false, admission: "waiting" },
    schema: {
      operationId: "uploadMapRegion",
      consumes: ["multipart/form-data"],
      summary: "Upload an extract or archive and build a map from it",
      form: Type.Object({
        name: Type.Optional(Type.String({ description: "Default: from the file's name" })),
        file: FilePart("An .osm.pbf extract or a .pmtiles archive"),
        style: Type.Optional(FilePart("MapLibre style of the archive")),
      }),
      response: { 200: Requested },
    },
    async handler(request) {
      await checkManager(request)
      const { id, region, source } = await receiveMap(app, request)
      await requestBuildBy(app.sql, request.caller, request.ip, {
        id,
        region,
        source,
        sourceKey: sourceKey(id, "source"),
      })
      return { status: true as const, data: { buildId: id } }
    },
  })

  app.post("/map-regions/download", {
    config: { permission: "edit/organization", idempotent: false },
    schema: {
      operationId: "downloadMapRegion",
      summary: "Download an extract or archive and build a map from it",
      body: Type.Object({
        url: Type.String({ maxLength: 2_000 }),
        name: Type.Optional(Type.String({ maxLength: 60 })),
      }),
      response: { 200: Requested },
    },
    async handler(request) {
      await checkManager(request)
      const { url, name } = request.body
      const target = URL.parse(url)
      if (target?.protocol !== "http:" && target?.protocol !== "https:") throw mapErrors.badAddress()
      const region = checkedName(name, target.pathname)
      const id = newBuildId()
      await requestBuildBy(app.sql, request.caller, request.ip, { id, region, source: url })
      return { status: true as const, data: { buildId: id } }
    },
  })

  app.delete("/map-regions/:mapRegion", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteMapRegion",
      summary: "Remove a map",
      params: Type.Object({ mapRegion: Type.String({ maxLength: 60 }) }),
      response: { 200: Done },
    },
    async handler(request) {
      await checkManager(request)
      await removeMap(app.sql, request.caller, request.ip, request.params.mapRegion)
      return { status: true as const, message: "The map has been removed" }
    },
  })

  app.post("/map-builds/:mapBuildId/cancel", {
    config: { permission: "edit/organization", idempotent: false },
    schema: {
      operationId: "cancelMapBuild",
      summary: "Cancel a build; the current map remains",
      params: Type.Object({ mapBuildId: Type.String({ maxLength: 60 }) }),
      response: { 200: Done },
    },
    async handler(request) {
      await checkManager(request)
      await cancelBuild(app.sql, request.caller, request.ip, request.params.mapBuildId)
      return { status: true as const, message: "The build has been cancelled" }
    },
  })
}

function checkedName(name: string | undefined, file: string): string {
  const region = name?.trim() || regionNameOf(decodeURIComponent(file))
  if (!isRegionName(region)) throw mapErrors.badName()
  return region
}

/** Streams the file into the object store as it arrives. What is left of a broken upload is removed. */
async function receiveMap(app: App, request: FastifyRequest) {
  if (!request.isMultipart()) throw mapErrors.badFile()
  const id = newBuildId()
  const key = sourceKey(id, "source")
  let name: string | undefined
  let file: string | undefined
  try {
    const limits = { fileSize: maxBytes, files: 2, fields: 5 }
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        if (part.fieldname === "name") name = String(part.value)
      } else if (part.fieldname === "file" || part.fieldname === "style") {
        const isStyle = part.fieldname === "style"
        const bytes = await app.objects.put(isStyle ? `${key}.style` : key, part.file)
        if (part.file.truncated || (isStyle && bytes > maxStyleBytes)) throw mapErrors.tooLarge()
        if (!isStyle) file = part.filename
      } else part.file.resume()
    }
    if (file === undefined) throw mapErrors.badFile()
    return { id, region: checkedName(name, file), source: file.slice(0, 200) }
  } catch (error) {
    await app.objects.remove(key)
    await app.objects.remove(`${key}.style`)
    throw error
  }
}
