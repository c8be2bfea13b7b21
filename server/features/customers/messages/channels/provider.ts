import { sendOutbound } from "#core/outbound/outbound-http.ts"
import type { ProviderRequest } from "../templates/presets.ts"
import { fillTemplate } from "../templates/template-text.ts"

/** What is known of one message when its provider is called, by the names of placeholders. */
export type ProviderValues = ReadonlyMap<string, string>

/** The provider refused the message; another attempt would be refused too. */
export class ProviderRefusal extends Error {}

const limits = { timeoutMilliseconds: 20_000, maxBytes: 200_000 }
const path = /\{\{\s*([A-Za-z][\w.-]{0,99})\s*\}\}/g

/** Values in an address are percent-encoded; a variable at its beginning is the address itself. */
function fillUrl(template: string, values: ProviderValues): string {
  return template.replace(path, (_whole, name: string, offset: number) => {
    const value = values.get(name) ?? ""
    const isOrigin = offset === 0 || /^https?:\/\/$/.test(template.slice(0, offset))
    return isOrigin ? withoutLastSlashes(value) : encodeURIComponent(value)
  })
}

function withoutLastSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === "/") end -= 1
  return text.slice(0, end)
}

/** Fills in the texts of a JSON value: a value never changes the structure around it. */
function fillJson(value: unknown, values: ProviderValues): unknown {
  if (typeof value === "string") return fillTemplate(value, values)
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillJson(entry, values)]))
}

function headersOf(request: ProviderRequest, values: ProviderValues): Record<string, string> {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name.toLowerCase(),
    fillTemplate(value, values).replace(/[\r\n]/g, " "),
  ])
  const basic = request.basicAuth === undefined ? undefined : fillTemplate(request.basicAuth, values)
  return {
    ...Object.fromEntries(headers),
    ...(basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` }),
  }
}

function bodyOf({ body, encoding }: ProviderRequest, values: ProviderValues): string {
  const filled = fillJson(body, values)
  if (encoding === "json") return JSON.stringify(filled)
  const fields = Object.entries(filled as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value),
  ])
  return new URLSearchParams(fields as [string, string][]).toString()
}

const contentTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const

/** Hands a message to its provider and returns the provider's id of it. Throws a ProviderRefusal, or what may be retried. */
export async function callProvider(
  request: ProviderRequest,
  values: ProviderValues,
  options: { allow: readonly string[]; signal: AbortSignal },
): Promise<string | null> {
  const response = await sendOutbound(
    {
      url: fillUrl(request.url, values),
      method: "POST",
      headers: { ...headersOf(request, values), "content-type": contentTypes[request.encoding] },
      body: bodyOf(request, values),
      ...limits,
      signal: options.signal,
    },
    options.allow,
  )
  const { statusCode } = response
  const text = response.body.toString("utf8")
  if (statusCode >= 200 && statusCode < 300) return textAt(parse(text), request.idPath)
  const reason = `The provider responded with status ${statusCode}: ${text.slice(0, 300)}`
  const isRetryable = statusCode >= 500 || statusCode === 429 || statusCode === 408 || statusCode === 425
  throw isRetryable ? new RetryableFailure(reason) : new ProviderRefusal(reason)
}

/** The provider said that it did not take the message. */
export class RetryableFailure extends Error {}

/** Whether the provider already has a message; undefined where it cannot be asked. */
export async function hasMessage(
  request: ProviderRequest,
  values: ProviderValues,
  options: { allow: readonly string[]; signal: AbortSignal },
): Promise<boolean | undefined> {
  const { lookup } = request
  if (!lookup) return undefined
  const response = await sendOutbound(
    {
      url: fillUrl(lookup.url, values),
      headers: headersOf(request, values),
      ...limits,
      signal: options.signal,
    },
    options.allow,
  )
  if (response.statusCode === 404) return false
  if (response.statusCode !== 200)
    throw new RetryableFailure(`The provider responded with status ${response.statusCode}`)
  const found =
    lookup.listPath === "" ? [{}] : valueAt(parse(response.body.toString("utf8")), lookup.listPath)
  if (!Array.isArray(found)) return false
  const { field, equals } = lookup
  if (field === undefined || equals === undefined) return found.length > 0
  const wanted = fillTemplate(equals, values)
  return found.some((entry) => textAt(entry, field) === wanted)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function valueAt(value: unknown, at: string): unknown {
  let found = value
  for (const key of at.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

export function textAt(value: unknown, at: string): string | null {
  const found = valueAt(value, at)
  return typeof found === "string" || typeof found === "number" ? String(found).slice(0, 200) : null
}
