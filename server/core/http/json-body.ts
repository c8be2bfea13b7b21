import { randomInt } from "node:crypto"
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
  const { depth, values, shapes, hasEscapedKey, mayOverflow } = measure(body)
  if (depth > maxDepth) throw new RefusedBody(`The body is nested deeper than ${maxDepth} levels`)
  if (values > maxValues)
    throw new RefusedBody(`The body has more than ${maxValues} values. Send it in several calls`)
  if (shapes > maxShapes)
    throw new RefusedBody("The objects in the body have too many different keys. Send it in several calls")
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

/**
 * Objects with the same keys in the same order share a shape, and each key that begins another shape takes several times
 * as long to parse as one that does not.
 */
const maxShapes = 50_000
/** A shorter body cannot reach that: a key takes at least five bytes. */
const minShapesBytes = 5 * maxShapes

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [zero, nine, smallE, largeE] = [0x30, 0x39, 0x65, 0x45]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

interface BodyMeasures {
  depth: number
  values: number
  shapes: number
  hasEscapedKey: boolean
  mayOverflow: boolean
}

/**
 * Looks at the bytes alone: brackets, commas and digits outside of strings, and the keys. UTF-8 has none of these bytes
 * inside a character.
 */
function measure(body: Buffer): BodyMeasures {
  let [depth, deepest, values] = [0, 0, 1]
  let [hasEscapedKey, mayOverflow] = [false, false]
  let digits = 0
  // The string that ended last, and whether it had an escape: a colon after it makes it a key.
  let [begin, end, isLastEscaped] = [0, 0, false]
  const shapes = body.length < minShapesBytes ? undefined : new Shapes()
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
      begin = index + 1
      for (index++; index < body.length && body[index] !== quote; index++)
        if (body[index] === backslash) {
          isLastEscaped = true
          index++
        }
      end = index
    } else if (byte === openBrace || byte === openBracket) {
      values++
      if (++depth > deepest) deepest = depth
      shapes?.open(depth)
    } else if (byte === closeBrace || byte === closeBracket) depth--
    else if (byte === comma) values++
    else if (byte === colon) {
      if (isLastEscaped) hasEscapedKey = true
      shapes?.add(depth, body, begin, end)
    }
  }
  return { depth: deepest, values, shapes: shapes?.count ?? 0, hasEscapedKey, mayOverflow }
}

/** Unknown to senders, who could otherwise choose keys that look the same here. */
const shapeSeed = randomInt(2 ** 32)
const shapeBits = 21

/** Counts the different beginnings of the key lists of objects, by a hash of each. */
class Shapes {
  count = 0
  private readonly seen = new Uint8Array(2 ** (shapeBits - 3))
  /** Of each object that is open. */
  private readonly hashes = new Int32Array(maxDepth + 1)

  open(depth: number): void {
    this.hashes[depth] = shapeSeed
  }

  add(depth: number, body: Buffer, begin: number, end: number): void {
    if (this.count > maxShapes) return
    let hash = this.hashes[depth] ?? 0
    for (let index = begin; index < end; index++) hash = Math.imul(hash ^ (body[index] ?? 0), 0x01_00_01_93)
    hash = Math.imul(hash ^ quote, 0x01_00_01_93)
    this.hashes[depth] = hash
    const bit = hash >>> (32 - shapeBits)
    const held = this.seen[bit >>> 3] ?? 0
    const mask = 1 << (bit & 7)
    if ((held & mask) !== 0) return
    this.seen[bit >>> 3] = held | mask
    this.count++
  }
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
