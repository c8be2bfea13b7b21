import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32, deflateSync } from "node:zlib"
import { drawReport } from "./draw-report.ts"
import type { ReportContent } from "./report-content.ts"

interface Png {
  width: number
  height: number
  pixels: Buffer
  isInterlaced?: boolean
}

/** A picture of red, green, blue and transparency, with whatever its header says. */
function aPng({ width, height, pixels, isInterlaced = false }: Png): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, isInterlaced ? 1 : 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))],
  ])
}

const content: ReportContent = {
  ...{ isRtl: false, language: "en", organization: "Org", color: "#123456", logo: null, title: "Report" },
  ...{ subtitle: "", facts: [], sections: [], itemTitle: "", items: [], total: null, photoTitle: "Photos" },
  ...{ photos: [], signature: null, map: null, foot: "" },
}

async function picturesOf(photos: readonly Uint8Array[]): Promise<number> {
  const pdf = await drawReport({ ...content, photos })
  return pdf.toString("latin1").match(/\/SMask /g)?.length ?? 0
}

test("a report leaves out pictures that unpack to more than it may hold, or are damaged", async () => {
  const row = Buffer.alloc(1 + 4 * 4)
  const good = aPng({ width: 4, height: 4, pixels: Buffer.concat([row, row, row, row]) })
  // Passes of an interlaced picture of 4 by 4: 1 by 1, 1 by 1, 2 by 1, 2 by 2 and 4 by 2, each row with a byte more.
  const passes = aPng({ width: 4, height: 4, pixels: Buffer.alloc(5 + 5 + 9 + 18 + 34), isInterlaced: true })
  assert.equal(await picturesOf([good, passes]), 2)
  const bomb = aPng({ width: 4, height: 4, pixels: Buffer.alloc(120_000_000) })
  const huge = aPng({ width: 60_000, height: 60_000, pixels: row })
  const short = aPng({ width: 4, height: 4, pixels: row })
  const filters = aPng({ width: 4, height: 4, pixels: Buffer.alloc(68, 9) })
  const noPixels = Buffer.from(good)
  noPixels.fill(255, 41, 60)
  for (const bad of [bomb, huge, short, filters, noPixels, good.subarray(0, 30)])
    assert.equal(await picturesOf([bad, good]), 1, "the other picture is there")
})
