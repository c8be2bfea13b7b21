import PDFDocument from "pdfkit"
import { isRightToLeft, type TextRun, visualRuns } from "./bidi-runs.ts"
import { drawMap, type StreetName } from "./draw-map.ts"
import { fontNames, fontOf, fontPath } from "./fonts.ts"
import { mapHeight } from "./map-size.ts"
import { pngBudget } from "./png-budget.ts"
import type { ReportChart, ReportContent, ReportTable } from "./report-content.ts"

const margin = 48
const maxPages = 60

/** Draws one report and returns the document. */
export async function drawReport(content: ReportContent): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margins: { top: margin, bottom: margin, left: margin, right: margin },
    lang: content.language,
    info: { Title: content.title, Author: content.organization },
    bufferPages: true,
  })
  for (const name of fontNames) document.registerFont(name, fontPath(name))
  const parts: Buffer[] = []
  document.on("data", (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => document.on("end", resolve).on("error", reject))
  new Pen(document, content).drawAll()
  document.end()
  await ended
  return Buffer.concat(parts)
}

class Pen {
  readonly #document: InstanceType<typeof PDFDocument>
  readonly #content: ReportContent
  readonly #spend = pngBudget()
  #y = margin
  #pages = 1

  constructor(document: InstanceType<typeof PDFDocument>, content: ReportContent) {
    this.#document = document
    this.#content = content
  }

  drawAll(): void {
    const content = this.#content
    this.#head()
    this.#facts(content.facts)
    for (const section of content.sections) {
      this.#heading(section.title)
      this.#facts(section.values)
    }
    this.#items()
    if (content.chart) this.#chart(content.chart)
    if (content.table) this.#table(content.table)
    this.#map()
    this.#pictures()
    if (content.signature) {
      this.#heading(content.signature[0])
      this.#picture(content.signature[1], this.#left(), 220, 90)
      this.#y += 98
    }
    this.#foot()
  }

  #left = () => margin
  #width = () => this.#document.page.width - 2 * margin

  #head(): void {
    const { color, logo, organization, title, subtitle, isRtl } = this.#content
    this.#document.rect(0, 0, this.#document.page.width, 8).fill(color)
    if (logo) this.#picture(logo, isRtl ? margin : margin + this.#width() - 120, 120, 44)
    this.#text(organization, { size: 11, color: "#495057" })
    this.#text(title, { size: 20 })
    if (subtitle) this.#text(subtitle, { size: 12, color: "#495057" })
    this.#y += 10
  }

  #heading(title: string): void {
    this.#room(50)
    this.#y += 12
    this.#text(title, { size: 13, color: this.#content.color })
    this.#line()
  }

  #line(): void {
    this.#document.strokeColor("#ced4da").lineWidth(0.5)
    this.#document
      .moveTo(margin, this.#y)
      .lineTo(margin + this.#width(), this.#y)
      .stroke()
    this.#y += 6
  }

  #facts(facts: readonly (readonly [string, string])[]): void {
    const { isRtl } = this.#content
    const [labels, gap] = [150, 12]
    const values = this.#width() - labels - gap
    for (const [label, value] of facts) {
      this.#room(18)
      const start = this.#y
      const [labelX, valueX] = isRtl ? [margin + values + gap, margin] : [margin, margin + labels + gap]
      this.#text(label, { size: 10, color: "#495057", x: labelX, width: labels })
      const afterLabel = this.#y
      this.#y = start
      this.#text(value, { size: 10, x: valueX, width: values })
      this.#y = Math.max(this.#y, afterLabel) + 3
    }
  }

  #items(): void {
    const { items, itemTitle, total } = this.#content
    if (items.length === 0) return
    this.#heading(itemTitle)
    const rows = [
      ...items.map(({ title, quantity, amount }) => [title, quantity, amount]),
      ...(total ? [[total[0], "", total[1]]] : []),
    ]
    for (const row of rows) this.#row(row, { names: 1, figure: 90 })
  }

  #chart({ title, bars }: ReportChart): void {
    this.#heading(title)
    const { isRtl, color } = this.#content
    const [names, figure] = [150, 80]
    const widest = this.#width() - names - figure - 16
    for (const bar of bars) {
      this.#room(18)
      const start = this.#y
      this.#text(bar.name, { size: 9, x: isRtl ? margin + this.#width() - names : margin, width: names })
      const end = this.#y
      const width = Math.max(widest * bar.share, 1)
      const x = isRtl ? margin + this.#width() - names - 8 - width : margin + names + 8
      this.#document.rect(x, start + 1, width, 9).fill(color)
      this.#y = start
      const after = isRtl ? x - 8 - figure : x + width + 8
      this.#text(bar.figure, { size: 9, x: after, width: figure })
      this.#y = Math.max(this.#y, end) + 2
    }
  }

  #table({ title, head, names, rows, total, note }: ReportTable): void {
    this.#heading(title)
    const figures = Math.max(head.length - names, 1)
    const shape = { names, figure: Math.min(90, (this.#width() * 0.7) / figures), size: figures > 6 ? 7 : 9 }
    this.#row(head, { ...shape, color: "#495057" })
    this.#line()
    for (const row of rows) {
      if (this.#room(18)) this.#row(head, { ...shape, color: "#495057" })
      this.#row(row, shape)
    }
    if (total) {
      this.#line()
      this.#row(total, shape)
    }
    if (note) this.#text(note, { size: 8, color: "#868e96" })
  }

  /** Cells beside each other: the first ones share what the figures leave. */
  #row(
    cells: readonly string[],
    { names, figure, size = 10, color }: { names: number; figure: number; size?: number; color?: string },
  ): void {
    this.#room(18)
    const [start, gap] = [this.#y, 8]
    const width = (this.#width() - (figure + gap) * (cells.length - names) - gap * (names - 1)) / names
    let [end, at] = [start, 0]
    for (const [place, text] of cells.entries()) {
      const own = place < names ? width : figure
      const x = this.#content.isRtl ? margin + this.#width() - at - own : margin + at
      this.#y = start
      this.#text(text, { size, x, width: own, isEnd: place >= names, ...(color ? { color } : {}) })
      end = Math.max(end, this.#y)
      at += own + gap
    }
    this.#y = end + 3
  }

  #pictures(): void {
    const { photos, photoTitle } = this.#content
    if (photos.length === 0) return
    this.#heading(photoTitle)
    const width = (this.#width() - 12) / 2
    for (let place = 0; place < photos.length; place += 2) {
      this.#room(190)
      for (const [column, photo] of photos.slice(place, place + 2).entries())
        this.#picture(photo, margin + column * (width + 12), width, 180)
      this.#y += 190
    }
  }

  #map(): void {
    const { map } = this.#content
    if (!map) return
    this.#room(mapHeight + 70)
    this.#heading(map.title)
    const top = this.#y
    for (const name of drawMap(this.#document, map, margin, top)) this.#streetName(name)
    this.#y = top + mapHeight + 4
    this.#text(map.attribution, { size: 7, color: "#495057" })
  }

  /** Left out where the street is too short for it. */
  #streetName({ text, x, y, degrees, length }: StreetName): void {
    const size = 6.5
    const runs = visualRuns(text, isRightToLeft(text, false), fontOf)
    const used = runs.reduce((sum, run) => sum + this.#widthOf(run, size), 0)
    if (used > length) return
    this.#document.save()
    this.#document.rotate(degrees, { origin: [x, y] })
    this.#runs(runs, { size, color: "#4e4a43", x: x - used / 2, y: y - size * 0.7 })
    this.#document.restore()
  }

  /** A file that is no picture leaves its place empty. */
  #picture(picture: Uint8Array, x: number, width: number, height: number): void {
    try {
      const bytes = Buffer.from(picture)
      this.#spend(bytes)
      this.#document.image(bytes, x, this.#y, { fit: [width, height] })
    } catch {
      // The rest of the report is worth more than a picture that cannot be read.
    }
  }

  #foot(): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = start; page < start + count; page++) {
      this.#document.switchToPage(page)
      this.#y = this.#document.page.height - 34
      this.#text(`${this.#content.foot} · ${page - start + 1}/${count}`, { size: 7, color: "#868e96" })
    }
  }

  /** Whether it began another page. */
  #room(height: number): boolean {
    if (this.#y + height <= this.#document.page.height - margin || this.#pages >= maxPages) return false
    this.#document.addPage()
    this.#pages += 1
    this.#y = margin
    return true
  }

  #text(
    text: string,
    options: { size: number; color?: string; x?: number; width?: number; isEnd?: boolean },
  ): void {
    const { size, color = "#212529", x = margin, width = this.#width(), isEnd = false } = options
    for (const paragraph of text.split("\n")) {
      const isRtl = isRightToLeft(paragraph, this.#content.isRtl)
      for (const line of this.#linesOf(paragraph, size, width)) {
        const runs = visualRuns(line, isRtl, fontOf)
        const used = runs.reduce((sum, run) => sum + this.#widthOf(run, size), 0)
        const isAtRight = isEnd !== this.#content.isRtl
        this.#runs(runs, { size, color, x: isAtRight ? x + width - used : x, y: this.#y })
        this.#y += size * 1.4
      }
    }
  }

  #runs(runs: readonly TextRun[], at: { size: number; color: string; x: number; y: number }): void {
    let { x } = at
    for (const run of runs) {
      this.#document.font(run.font).fontSize(at.size).fillColor(at.color)
      // With features, even none, pdfkit lays a whole run out at once instead of word by word, which keeps its order.
      this.#document.text(run.text, x, at.y, { lineBreak: false, features: [] })
      x += this.#widthOf(run, at.size)
    }
  }

  #widthOf({ text, font }: { text: string; font: string }, size: number): number {
    return this.#document.font(font).fontSize(size).widthOfString(text, { features: [] })
  }

  /** Breaks at spaces; a word that is wider than a line is cut. */
  #linesOf(text: string, size: number, width: number): string[] {
    const measure = (part: string) =>
      visualRuns(part, false, fontOf).reduce((sum, run) => sum + this.#widthOf(run, size), 0)
    const lines: string[] = []
    let line = ""
    for (const word of text.split(/(?<= )/)) {
      if (measure(line + word.trimEnd()) <= width) {
        line += word
        continue
      }
      if (line) lines.push(line.trimEnd())
      line = word
      while (measure(line) > width && line.length > 1) {
        let length = line.length - 1
        while (length > 1 && measure(line.slice(0, length)) > width) length--
        lines.push(line.slice(0, length))
        line = line.slice(length)
      }
    }
    return [...lines, line.trimEnd()]
  }
}
