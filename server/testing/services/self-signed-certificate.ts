import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto"

/** One element of ASN.1 in DER: tag, length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const length =
    body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, body])
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content)
const time = (text: string) => der(0x18, Buffer.from(text))
// sha256WithRSAEncryption (1.2.840.113549.1.1.11) and its empty parameters.
const algorithm = sequence(der(0x06, Buffer.from("2a864886f70d01010b", "hex")), der(0x05))

function nameOf(commonName: string): Buffer {
  const id = der(0x06, Buffer.from("550403", "hex"))
  return sequence(der(0x31, sequence(id, der(0x0c, Buffer.from(commonName)))))
}

export interface SelfSigned {
  certificate: string
  privateKey: KeyObject
  privateKeyPem: string
}

/** A key and its certificate (RFC 5280, version 1), as a directory of a test has them. */
export function selfSigned(commonName: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const content = sequence(
    der(0x02, Buffer.of(1)),
    algorithm,
    nameOf(commonName),
    sequence(time("20200101000000Z"), time("20491231235959Z")),
    nameOf(commonName),
    publicKey.export({ type: "spki", format: "der" }),
  )
  const signature = createSign("sha256").update(content).sign(privateKey)
  const bytes = sequence(content, algorithm, der(0x03, Buffer.of(0), signature)).toString("base64")
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${bytes.replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`,
    privateKey,
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
