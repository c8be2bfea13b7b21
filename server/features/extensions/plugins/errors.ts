import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { sendError, toAppError } from "#core/http/errors.ts"

export const pluginErrors = defineErrors("plugn", {
  required: { http: 400, code: "001", message: "name, description and resourceFile are required" },
  badLength: {
    http: 400,
    code: "003",
    message: "name must have 3 to 100 characters and description 10 to 500",
  },
  badStatus: { http: 400, code: "017", message: "status must be active, inactive or draft" },
  badPermission: { http: 400, code: "017", message: "The script requests a permission that does not exist" },
  badGrant: { http: 400, code: "017", message: "Only permissions that the plugin requests can be granted" },
  badModule: { http: 400, code: "001", message: "This custom module does not exist" },
  nameTaken: {
    http: 409,
    code: "031",
    message: "A plugin with this name already exists. Choose another name",
  },
  badScript: { http: 422, code: "032", message: "The script is not valid JavaScript" },
  notFound: { http: 404, code: "033", message: "This plugin does not exist" },
  notGranted: { http: 403, code: "035", message: "This plugin does not have the permission for this" },
  forbidden: { http: 403, code: "035", message: "This plugin belongs to another organization" },
  tooLarge: {
    http: 413,
    code: "015",
    message: "The script must be at most 5 MB and the icon at most 500 KB",
  },
  badType: {
    http: 415,
    code: "015",
    message: "The script must be a .js file, and the icon an .svg file without scripts",
  },
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
