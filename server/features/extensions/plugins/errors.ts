import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { answerError, toAppError } from "#core/http/errors.ts"

export const pluginErrors = defineErrors("plugn", {
  required: { http: 400, code: "001", message: "name, description and resourceFile are required" },
  badLength: { http: 400, code: "003", message: "name has 3 to 100 characters, description 10 to 500" },
  badStatus: { http: 400, code: "017", message: "status must be active, inactive or draft" },
  badPermission: { http: 400, code: "017", message: "The script asks for a permission that does not exist" },
  badGrant: { http: 400, code: "017", message: "Only what the plugin asks for can be granted" },
  badModule: { http: 400, code: "001", message: "There is no such custom module" },
  nameTaken: { http: 409, code: "031", message: "Another plugin has this name" },
  badScript: { http: 422, code: "032", message: "The script is not JavaScript: it does not parse" },
  notFound: { http: 404, code: "033", message: "This plugin does not exist" },
  notGranted: { http: 403, code: "035", message: "This plugin may not do that" },
  forbidden: { http: 403, code: "035", message: "This plugin belongs to another organization" },
  tooLarge: { http: 413, code: "015", message: "A script may have 5 MB, an icon 500 KB" },
  badType: {
    http: 415,
    code: "015",
    message: "The script must be a .js file and the icon an .svg without script",
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
export function answerPluginError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  const field = Object.keys(refusal.fields ?? {})[0]
  const code = words[refusal.http] ?? "INTERNAL_ERROR"
  const time = Temporal.Now.instant().toString({ fractionalSecondDigits: 6 })
  const extra = {
    error: { code, details: refusal.message, ...(field ? { field } : {}) },
    timestamp: time,
  }
  answerError(withExtra(refusal, extra), request, reply)
}
