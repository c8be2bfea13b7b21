import type { DateSystem } from "../cell.ts"
import { type FormatMeaning, formatMeaning } from "../date-format.ts"
import { SuspectFileError } from "../suspect-file.ts"
import { type StringTable, stringTable } from "../xlsx/string-table.ts"
import type { CompoundStream } from "./compound-file.ts"
import { readXlsPart, readXlsText, sharedStringParser, xlsRecord } from "./xls-records.ts"

export interface XlsWorkbook {
  readonly sheets: readonly { readonly name: string; readonly visible: boolean; readonly offset: number }[]
  readonly dateSystem: DateSystem
  readonly formats: readonly (FormatMeaning | undefined)[]
  readonly strings: StringTable
}

/**
 * Finds the workbook among the streams of a compound file. Throws SuspectFileError for what else comes in this
 * container: encrypted and macro workbooks, Word documents, mails, Excel 5 and 95.
 */
export function findXlsStream(streams: ReadonlyMap<string, CompoundStream>): CompoundStream {
  if (streams.has("EncryptedPackage")) throw new SuspectFileError("encrypted")
  const workbook = streams.get("Workbook")
  if (workbook) {
    if (streams.has("_VBA_PROJECT_CUR") || streams.has("_VBA_PROJECT"))
      throw new SuspectFileError("macro-workbook")
    return workbook
  }
  if (streams.has("Book")) {
    throw new SuspectFileError(
      "wrong-type",
      "it was saved by a version of Excel older than 97. Save it as .xlsx and upload that file",
    )
  }
  if (streams.has("WordDocument")) throw new SuspectFileError("wrong-type", "it is a Word document")
  if (streams.has("PowerPoint Document")) throw new SuspectFileError("wrong-type", "it is a presentation")
  throw new SuspectFileError("wrong-type")
}

const biff8 = 0x0600
const macroSheet = 1

/** Reads the globals of a workbook: sheets, date system, number formats, shared strings. The caller closes the strings. */
export async function readXlsWorkbook(stream: CompoundStream): Promise<XlsWorkbook> {
  const sheets: { name: string; visible: boolean; offset: number }[] = []
  const codes = new Map<number, string>()
  const formatIds: number[] = []
  let dateSystem: DateSystem = "1900"
  const strings = stringTable()
  const parser = sharedStringParser((text) => strings.add(text))
  parser.next()
  let inStrings = false
  try {
    for await (const { id, body } of readXlsPart(stream, 0)) {
      if (id === xlsRecord.sharedStrings || (inStrings && id === xlsRecord.continued)) {
        // A copy: the parser may hold on to it until the next record.
        inStrings = parser.next(Buffer.from(body)).done !== true
        continue
      }
      switch (id) {
        case xlsRecord.beginningOfPart:
          if (body.readUInt16LE(0) !== biff8) throw new SuspectFileError("wrong-type")
          break
        case xlsRecord.filePassword:
          throw new SuspectFileError("encrypted")
        case xlsRecord.dateMode:
          dateSystem = body.readUInt16LE(0) === 1 ? "1904" : "1900"
          break
        case xlsRecord.numberFormat:
          codes.set(body.readUInt16LE(0), readXlsText(body, 2, 2))
          break
        case xlsRecord.cellFormat:
          formatIds.push(body.readUInt16LE(2))
          break
        case xlsRecord.sheet: {
          const kind = body.readUInt8(5)
          if (kind === macroSheet) throw new SuspectFileError("macro-workbook")
          if (kind !== 0) break
          const visible = (body.readUInt8(4) & 3) === 0
          sheets.push({ name: readXlsText(body, 6, 1), visible, offset: body.readUInt32LE(0) })
          break
        }
      }
    }
  } catch (error) {
    strings.close()
    throw error instanceof RangeError ? new SuspectFileError("damaged", undefined, { cause: error }) : error
  }
  strings.seal()
  return { sheets, dateSystem, formats: formatIds.map((id) => formatMeaning(id, codes.get(id))), strings }
}
