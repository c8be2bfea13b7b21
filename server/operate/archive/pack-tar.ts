import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join, relative } from "node:path"
import { Readable } from "node:stream"

const block = 512
/** What eleven octal digits hold: 8 GiB less a byte. */
const largestPlainSize = 0o77777777777

/** The files of a folder as one tar stream (POSIX.1-2001, pax), which `tar -xf` unpacks into a folder `name`. */
export function packTar(folder: string, name: string): Readable {
  return Readable.from(pieces(folder, name))
}

async function* pieces(folder: string, name: string): AsyncGenerator<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const { size } = await stat(path)
    const inside = `${name}/${relative(folder, path)}`
    const isPlain = Buffer.byteLength(inside) <= 100 && size <= largestPlainSize
    if (!isPlain) {
      const facts = Buffer.from(paxRecord("path", inside) + paxRecord("size", String(size)))
      yield header({ name: "pax", size: facts.length, type: "x" })
      yield facts
      yield padding(facts.length)
    }
    yield header({ name: isPlain ? inside : "long", size: isPlain ? size : 0, type: "0" })
    for await (const chunk of createReadStream(path)) yield chunk as Buffer
    yield padding(size)
  }
  yield Buffer.alloc(2 * block)
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + 1
  while (String(length).length + bytes !== length) length += 1
  return `${length}${rest}`
}

function padding(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block)
}

function header({ name, size, type }: { name: string; size: number; type: "0" | "x" }): Buffer {
  const bytes = Buffer.alloc(block)
  bytes.write(name, 0, 100)
  bytes.write("0000600\0", 100)
  bytes.write("0000000\0", 108)
  bytes.write("0000000\0", 116)
  bytes.write(`${size.toString(8).padStart(11, "0")}\0`, 124)
  bytes.write("00000000000\0", 136)
  bytes.write("        ", 148)
  bytes.write(type, 156)
  bytes.write("ustar\u000000", 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return bytes
}
