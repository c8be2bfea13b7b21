import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { base32, codeOfStep, matchingStep, stepAt } from "./totp.ts"

const secret = Buffer.from("12345678901234567890")

test("codes are those of RFC 6238, appendix B, cut to six digits", () => {
  const vectors: [number, string][] = [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ]
  for (const [seconds, code] of vectors) assert.equal(codeOfStep(secret, Math.floor(seconds / 30)), code)
})

test("a code is good half a minute early or late, and once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3600, max: 4_000_000_000 }),
      fc.integer({ min: -3, max: 3 }),
      (seconds, off) => {
        const now = Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
        const step = stepAt(now) + off
        const found = matchingStep(secret, codeOfStep(secret, step), now, null)
        if (Math.abs(off) <= 1) assert.ok(found !== undefined && Math.abs(found - stepAt(now)) <= 1)
        if (found !== undefined)
          assert.equal(matchingStep(secret, codeOfStep(secret, step), now, found + 1), undefined)
      },
    ),
  )
})

test("a code of other characters is wrong, whatever their bytes", () => {
  const now = Temporal.Instant.fromEpochMilliseconds(59_000)
  for (const code of ["äöüäöü", "２８７０８２", "28708", "287082 ", "28708a", ""])
    assert.equal(matchingStep(secret, code, now, null), undefined)
  assert.equal(matchingStep(secret, "287082", now, null), 1)
})

test("base32 is that of RFC 4648", () => {
  assert.equal(base32(Buffer.from("foobar")), "MZXW6YTBOI")
  assert.equal(base32(Buffer.from("fooba")), "MZXW6YTB")
  assert.equal(base32(Buffer.from("f")), "MY")
})
