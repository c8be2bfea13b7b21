import type { FastifyRequest } from "fastify"
import { AppError } from "../errors.ts"

type Done = (error: Error | null, body?: unknown) => void

/**
 * Reads a JSON body. An empty one is none; keys that would reach a prototype are refused, and so are numbers too large for a
 * double, which would become infinite.
 */
export function readJsonBody(request: FastifyRequest, body: Buffer, done: Done): void {
  if (body.length === 0) {
    done(null, undefined)
    return
  }
  try {
    done(null, parseJson(body))
  } catch (cause) {
    const module = request.routeOptions.config.module ?? "sys"
    const { message } = cause as Error
    const text = cause instanceof RefusedBody ? message : `The body is not valid JSON: ${message}`
    done(new AppError(400, `${module}-013`, text, { cause }))
  }
}

/** Valid JSON that is not taken. */
class RefusedBody extends Error {}

function parseJson(body: Buffer): unknown {
  const { depth, values, hasEscapedKey, mayOverflow } = measure(body)
  if (depth > maxDepth) throw new RefusedBody(`The body is nested deeper than ${maxDepth} levels`)
  if (values > maxValues)
    throw new RefusedBody(`The body has more than ${maxValues} values. Send it in several calls`)
  const text = body.toString("utf8")
  const parsed: unknown = JSON.parse(text)
  const mayReachPrototype = hasEscapedKey || text.includes('"__proto__"') || text.includes('"constructor"')
  if (mayReachPrototype && hasPart(parsed, isPrototypeHolder))
    throw new RefusedBody("The body has a key that is not allowed: __proto__, or an object named constructor")
  if (mayOverflow && hasPart(parsed, isInfinite))
    throw new RefusedBody("A number is too large. Send it as text")
  return parsed
}

/** Numbers of fewer digits and without an exponent are finite. */
const maxDigits = 300

/** Deeper bodies have no meaning here and would exhaust the stack when they are serialized. */
const maxDepth = 100

/** Parsing takes time by values rather than bytes. The largest bulk calls have fewer than one in 16 bytes. */
const maxValues = 1_000_000

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [zero, nine, smallE, largeE] = [0x30, 0x39, 0x65, 0x45]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

interface BodyMeasures {
  depth: number
  values: number
  hasEscapedKey: boolean
  mayOverflow: boolean
}

/**
 * Looks at the bytes alone: brackets, commas and digits outside of strings, and whether a key has an escape in it. UTF-8
 * has none of these bytes inside a character.
 */
function measure(body: Buffer): BodyMeasures {
  let [depth, deepest, values] = [0, 0, 1]
  let [hasEscapedKey, mayOverflow] = [false, false]
  let digits = 0
  // Whether the string that ended last had an escape: a colon after it makes it a key.
  let isLastEscaped = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0
    if (byte >= zero && byte <= nine) {
      if (++digits > maxDigits) mayOverflow = true
      continue
    }
    if (digits > 0 && (byte === smallE || byte === largeE)) mayOverflow = true
    digits = 0
    if (byte === quote) {
      isLastEscaped = false
      for (index++; index < body.length && body[index] !== quote; index++)
        if (body[index] === backslash) {
          isLastEscaped = true
          index++
        }
    } else if (byte === openBrace || byte === openBracket) {
      values++
      if (++depth > deepest) deepest = depth
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if (byte === comma) values++
    else if (byte === colon && isLastEscaped) hasEscapedKey = true
  }
  return { depth: deepest, values, hasEscapedKey, mayOverflow }
}

function hasPart(value: unknown, isMeant: (part: unknown) => boolean): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (isMeant(next)) return true
    if (typeof next === "object" && next !== null) for (const held of Object.values(next)) open.push(held)
  }
  return false
}

const isInfinite = (part: unknown) => part === Infinity || part === -Infinity

function isPrototypeHolder(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false
  if (Object.hasOwn(part, "__proto__")) return true
  return (
    Object.hasOwn(part, "constructor") && typeof (part as { constructor: unknown }).constructor === "object"
  )
}
