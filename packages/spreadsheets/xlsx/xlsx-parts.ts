import { trimOf } from "#packages/text/trim-characters.ts"
import type { SheetColumn } from "../sheet-values.ts"

/** Style numbers of the workbooks that we stream; each is a line of `styles`. */
export const xlsxStyle = { plain: 0, header: 1, date: 2, dateTime: 3, time: 4, guarded: 5 } as const

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheetml = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"
const contentTypes = "http://schemas.openxmlformats.org/package/2006/content-types"
const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

// quotePrefix keeps text such as =A1 text even after somebody edits the cell.
const styles = `${declaration}<styleSheet xmlns="${spreadsheetml}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** All parts of a workbook but its sheets, by path. Sheet n (from 1) is `xl/worksheets/sheet<n>.xml`. */
export function workbookParts(sheetNames: readonly string[]): Record<string, string> {
  const numbers = sheetNames.map((_, index) => index + 1)
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${officeRelations}/${kind}" Target="${target}"/>`
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${numbers
      .map(
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
      )
      .join("")}</Types>`,
    "_rels/.rels": `${declaration}<Relationships xmlns="${packageRelations}">${relation(1, "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `${declaration}<workbook xmlns="${spreadsheetml}" xmlns:r="${officeRelations}"><sheets>${sheetNames
      .map(
        (name, index) =>
          `<sheet name="${xmlText(name).replaceAll('"', "&quot;")}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packageRelations}">${numbers
      .map((n) => relation(n, "worksheet", `worksheets/sheet${n}.xml`))
      .join("")}${relation(numbers.length + 1, "styles", "styles.xml")}</Relationships>`,
    "xl/styles.xml": styles,
  }
}

/** The beginning of a sheet: first row frozen, column widths, up to the first row. */
export function sheetStart(columns: readonly SheetColumn[], isFirst: boolean): string {
  const widths = columns.map((column, index) => {
    const width = column.width ?? Math.min(60, Math.max(kindWidth(column.kind), column.title.length + 2))
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  const cols = widths.length > 0 ? `<cols>${widths.join("")}</cols>` : ""
  return `${declaration}<worksheet xmlns="${spreadsheetml}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ""} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols}<sheetData>`
}

export const sheetEnd = "</sheetData></worksheet>"

function kindWidth(kind: SheetColumn["kind"]): number {
  return kind === "dateTime" ? 20 : 12
}

/**
 * Names that a workbook accepts for the given titles: without `[]:*?/\`, at most 31 characters, none twice
 * (compared without case), none empty.
 */
export function sheetNames(titles: readonly string[]): string[] {
  const taken = new Set<string>()
  return titles.map((title) => {
    const clean = trimOf(title.replace(/[[\]:*?/\\]/g, " "), "'")
      .replace(/\s+/g, " ")
      .trim()
    const base = clean === "" || clean.toLowerCase() === "history" ? "Sheet" : clean
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? "" : ` (${number})`
      const name = base.slice(0, 31 - suffix.length).trimEnd() + suffix
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  })
}

// Every character that XML 1.0 forbids, the carriage return, which parsers turn into a line feed, and what reads
// as an escape already.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unwritable = /[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const everyUnwritable = /[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/g

/** Text as it is in a cell: XML-escaped, forbidden characters as `_x0001_`. */
export function xmlText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return unwritable.test(whole) ? whole.replace(everyUnwritable, escapeOne) : whole
}

function escapeOne(found: string): string {
  if (found === "&") return "&amp;"
  if (found === "<") return "&lt;"
  if (found === ">") return "&gt;"
  if (found.length > 1) return `_x005F${found}`
  return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`
}
