import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { sendError, toAppError } from "#core/http/errors.ts"

export const pluginErrors = defineErrors("plugn", {
  required: [400, "001", "name, description and resourceFile are required"],
  badLength: [400, "003", "name must have 3 to 100 characters and description 10 to 500"],
  badStatus: [400, "017", "status must be active, inactive or draft"],
  badPermission: [400, "017", "The script requests a permission that does not exist"],
  badGrant: [400, "017", "Only permissions that the plugin requests can be granted"],
  badModule: [400, "001", "This custom module does not exist"],
  nameTaken: [409, "031", "A plugin with this name already exists. Choose another name"],
  badScript: [422, "032", "The script is not valid JavaScript"],
  notFound: [404, "033", "This plugin does not exist"],
  notGranted: [403, "035", "This plugin does not have the permission for this"],
  forbidden: [403, "035", "This plugin belongs to another organization"],
  tooLarge: [413, "015", "The script must be at most 5 MB and the icon at most 500 KB"],
  badType: [415, "015", "The script must be a .js file, and the icon an .svg file without scripts"],
})

const words: Record<number, string> = {
  400: "VALIDATION_ERROR",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "PLUGIN_NOT_FOUND",
  409: "PLUGIN_NAME_EXISTS",
  413: "FILE_TOO_LARGE",
  415: "INVALID_FILE_TYPE",
  422: "INVALID_JAVASCRIPT",
  429: "RATE_LIMITED",
}

/** The envelope of this area has an `error` object and the time beside the keys of all others. */
export function sendPluginError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  const field = Object.keys(refusal.fields ?? {})[0]
  const code = words[refusal.http] ?? "INTERNAL_ERROR"
  const time = Temporal.Now.instant().toString({ fractionalSecondDigits: 6 })
  const extra = {
    error: { code, details: refusal.message, ...(field ? { field } : {}) },
    timestamp: time,
  }
  sendError(withExtra(refusal, extra), request, reply)
}
