import assert from "node:assert/strict"
import { createPublicKey, verify } from "node:crypto"
import { test } from "node:test"
import { areSubscriptionKeys, createVapidKeys, encryptPush, maxPushBytes, pushRequest } from "./web-push.ts"

const receiver = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
}

test("a message is encrypted as the example of RFC 8291", () => {
  const body = encryptPush(receiver, Buffer.from("When I grow up, I want to be a watermelon"), {
    salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
  })
  assert.equal(
    body.toString("base64url"),
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  )
})

test("the sender's token is signed with its key, for the push service alone", () => {
  const keys = createVapidKeys()
  const now = new Date("2031-05-04T08:00:00Z")
  const { headers } = pushRequest({ ...receiver, endpoint: "https://push.example/send/x" }, "{}", {
    keys,
    subject: "https://fieldway.example",
    now,
    ttlSeconds: 60,
    topic: "notices",
  })
  const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? "") ?? []
  assert.equal(key, keys.publicKey)
  const [header = "", claims = "", signature = ""] = token.split(".")
  assert.deepEqual(JSON.parse(Buffer.from(claims, "base64url").toString()), {
    aud: "https://push.example",
    exp: now.getTime() / 1000 + 12 * 3600,
    sub: "https://fieldway.example",
  })
  const point = Buffer.from(key, "base64url")
  const publicKey = createPublicKey({
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
    format: "jwk",
  })
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  )
  assert.ok(isSigned)
  assert.deepEqual([headers.ttl, headers.topic, headers["content-encoding"]], ["60", "notices", "aes128gcm"])
})

test("keys of another length, points off the curve and long messages are refused", () => {
  assert.ok(areSubscriptionKeys(receiver))
  assert.ok(!areSubscriptionKeys({ ...receiver, auth: "AAAA" }))
  assert.ok(!areSubscriptionKeys({ ...receiver, p256dh: Buffer.alloc(65, 4).toString("base64url") }))
  assert.ok(!areSubscriptionKeys({ ...receiver, p256dh: "" }))
  assert.throws(() => encryptPush(receiver, Buffer.alloc(maxPushBytes + 1)), RangeError)
})
