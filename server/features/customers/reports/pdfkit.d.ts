/** The part of pdfkit that reports use; the package has no types of its own. */
declare module "pdfkit" {
  import type { Readable } from "node:stream"

  interface TextOptions {
    lineBreak?: boolean
    features?: string[]
    link?: string
  }
  interface DocumentOptions {
    size: string
    margins: { top: number; bottom: number; left: number; right: number }
    lang?: string
    info?: Record<string, string>
    bufferPages?: boolean
    autoFirstPage?: boolean
  }
  interface PDFDocument extends Readable {
    page: { width: number; height: number }
    registerFont(name: string, source: string): this
    font(name: string): this
    fontSize(size: number): this
    widthOfString(text: string, options?: TextOptions): number
    text(text: string, x: number, y: number, options?: TextOptions): this
    fillColor(color: string): this
    strokeColor(color: string): this
    lineWidth(width: number): this
    rect(x: number, y: number, width: number, height: number): this
    fill(color: string, rule?: "even-odd"): this
    circle(x: number, y: number, radius: number): this
    clip(): this
    save(): this
    restore(): this
    closePath(): this
    lineJoin(style: "round"): this
    lineCap(style: "round"): this
    rotate(degrees: number, options: { origin: [number, number] }): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    stroke(): this
    image(
      source: Buffer,
      x: number,
      y: number,
      options: { fit: [number, number] } | { width: number; height: number },
    ): this
    addPage(): this
    switchToPage(page: number): this
    bufferedPageRange(): { start: number; count: number }
    end(): void
  }
  const PDFDocument: new (options: DocumentOptions) => PDFDocument
  export default PDFDocument
}
