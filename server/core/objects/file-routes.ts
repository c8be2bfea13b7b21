import type { FastifyReply } from "fastify"
import { Type } from "typebox"
import { exportFiles } from "#shared/export-formats.ts"
import type { Sql } from "../database/database.ts"
import { AppError } from "../errors.ts"
import { BinaryFile } from "../http/openapi/openapi.ts"
import type { App } from "../http/types.ts"
import { type FileOwner, ownerOf } from "./file-owners.ts"
import { isStoreAway } from "./store-faults.ts"

const contentTypes: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  webm: "audio/webm",
  ...Object.fromEntries(
    Object.values(exportFiles).map(({ extension, contentType }) => [extension, contentType]),
  ),
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  cer: "application/pkix-cert",
  zip: "application/zip",
  tar: "application/x-tar",
}
const shownInline = new Set(["png", "jpg", "jpeg", "webp", "mp3", "m4a", "ogg", "webm"])

/** `GET /files/<key>?expires&signature`: a signed link, good without a token until it expires. */
export function signedFileRoutes(app: App): void {
  app.get<{ Params: { "*": string }; Querystring: { expires?: string; signature?: string } }>("/files/*", {
    schema: { hide: true },
    async handler(request, reply) {
      const key = request.params["*"]
      if (!app.links.verify(key, request.query, app.clock.now()))
        throw new AppError(
          403,
          "sys-034",
          "This link has expired or is incomplete. Reload the page to get a new one",
        )
      return sendObject(app, key, reply)
    },
  })
}

/**
 * `GET /file/view?url=`: a file of the caller's organization by its address, for callers who
 * may read the object that it belongs to. `owners` finds that object; keys of other kinds are refused.
 */
export function fileViewRoutes(
  app: App,
  owners: readonly FileOwner[],
  areFilesPublic: (sql: Sql, organizationId: string) => Promise<boolean>,
): void {
  app.get("/file/view", {
    config: { public: true, produces: "other", module: "task" },
    schema: {
      operationId: "viewFile",
      summary: "Download a stored file",
      querystring: Type.Object({
        url: Type.String({ minLength: 1, description: "A file address issued by the server" }),
      }),
      response: { 200: BinaryFile },
    },
    async handler(request, reply) {
      const address = request.query.url
      const key = app.links.keyOf(address)
      if (!key) throw fileNotFound()
      const signed = Object.fromEntries(new URL(address).searchParams)
      if (!app.links.verify(key, signed, app.clock.now())) await checkReader(request, key)
      return sendObject(app, key, reply)
    },
  })

  async function checkReader(request: Parameters<typeof app.identify>[0], key: string): Promise<void> {
    const owner = ownerOf(owners, key)
    if (!owner) throw fileNotFound()
    const organizationId = key.slice(0, 24)
    const caller = await app.identify(request)
    if (caller?.organizationId === organizationId && (await owner.mayRead(app.sql, caller, key))) return
    if (owner.canBePublic && (await areFilesPublic(app.sql, organizationId))) return
    throw caller
      ? fileNotFound()
      : new AppError(401, "auth-001", "Authentication required. This file requires a valid token")
  }
}

function fileNotFound(): AppError {
  return new AppError(404, "task-033", "This file does not exist")
}

/** Sends a stored file with its type; pictures and sounds are shown, everything else is downloaded. */
export async function sendObject(app: App, key: string, reply: FastifyReply): Promise<FastifyReply> {
  const found = await app.objects.open(key).catch((error: unknown) => {
    if (isStoreAway(error)) throw error
    return undefined
  })
  if (!found) throw fileNotFound()
  const name = key.split("/").at(-1) ?? "file"
  const extension = name.split(".").at(-1)?.toLowerCase() ?? ""
  const disposition = shownInline.has(extension) ? "inline" : "attachment"
  return reply
    .header("content-type", contentTypes[extension] ?? "application/octet-stream")
    .header("content-length", found.sizeBytes)
    .header("content-disposition", `${disposition}; filename="${name.replace(/^\d+_/, "")}"`)
    .header("content-security-policy", "default-src 'none'; sandbox")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "private, max-age=3600")
    .send(found.stream)
}
