import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import { FilePart } from "#core/http/openapi/openapi.ts"
import { readOneFile } from "#core/http/read-form.ts"
import type { App } from "#core/http/types.ts"
import { taskErrors } from "../errors.ts"
import { readImageShape } from "./image-size.ts"
import { soundTypeOf } from "./sound-type.ts"
import { storePhoto } from "./store-photo.ts"

const maxPhotoBytes = 10 * 1024 ** 2
/** More than any camera takes; a small file may unpack to far more and crash its viewers. */
const maxPixels = 60_000_000
const maxSide = 16_384

export function taskPhotoRoutes(app: App): void {
  app.post("/task/photo/:forRenameFile", {
    config: { body: "form", anyOf: ["add/task", "edit/task", "do/task"], idempotent: false },
    schema: {
      operationId: "uploadTaskPhoto",
      summary: "Store a photo (part `photo`, JPEG or PNG, at most 10 MB) and get its address",
      description:
        "The file name is usually <taskId>_<index>_<componentId>. The task is not changed: set <componentId>_<index>_url with a PATCH. Recordings for voice components (WebM, Ogg, MP4 or MP3) are accepted too; the address is the component's value. The same photo sent again under the name of the same task is stored once.",
      consumes: ["multipart/form-data"],
      form: Type.Object({ photo: FilePart("JPEG, PNG, WebM, Ogg, MP4 or MP3") }),
      params: Type.Object({ forRenameFile: Type.String({ minLength: 1, maxLength: 255 }) }),
      response: { 200: Type.Object({ status: Type.Literal(true), url: Type.String() }) },
    },
    async handler(request) {
      const photo = await readUpload(request)
      const type = soundTypeOf(photo) ?? checkPhoto(photo)
      const wanted = request.params.forRenameFile.replace(/\.(jpe?g|png|webm|ogg|m4a|mp3)$/i, "")
      const key = await storePhoto(app, request, `${wanted}.${type}`, photo)
      return { status: true as const, url: app.links.plain(key) }
    },
  })
}

async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw taskErrors.noPhoto()
  const photo = await readOneFile(request, {
    name: "photo",
    maxBytes: maxPhotoBytes,
    tooLarge: taskErrors.photoTooLarge,
    interrupted: (cause) =>
      taskErrors.noPhoto({ message: "The upload was interrupted. Send the photo again", cause }),
  })
  if (!photo) throw taskErrors.noPhoto()
  return photo
}

/** Refuses files that are not photos, whatever their name and declared type; returns the file extension. */
export function checkPhoto(bytes: Buffer): "jpg" | "png" {
  const shape = readImageShape(bytes)
  if (!shape) throw taskErrors.notAPhoto()
  const { width, height } = shape
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw taskErrors.notAPhoto({
      message: `The image has ${width} x ${height} pixels. Send one with at most ${maxPixels / 1e6} million`,
    })
  return shape.type
}
