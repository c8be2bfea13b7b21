import type { NewVehicle } from "./vehicles.queries.ts"

/** Columns of a file of vehicles, by their heads in lower case. Any other column is a capacity. */
export const vehicleColumns = [
  "Name",
  "Driver",
  "Speed",
  "Fixed cost",
  "Tags",
  "From",
  "To",
  "Break from",
  "Break to",
  "Break minutes",
  "Work days",
  "Days off",
  "Start",
  "End",
  "Max minutes",
  "Max km",
  "Overtime",
  "Cost per day",
  "Cost per hour",
  "Cost per overtime hour",
  "Cost per km",
  "CO2 per km",
  "Certificates",
] as const

interface UnreadableCell {
  row: number
  column: string
  wanted: "number" | "time"
}

export interface ReadVehicles {
  vehicles: NewVehicle[]
  unreadable: UnreadableCell[]
  hasNames: boolean
}

/** Rows with commas, semicolons or tabs between cells, as files and spreadsheets give them. */
function readCells(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, "")
  const head = clean.slice(0, clean.search(/[\r\n]|$/))
  const separator = ["\t", ";", ","].find((one) => head.includes(one)) ?? ","
  const rows: string[][] = []
  let row: string[] = []
  let cell = ""
  let isQuoted = false
  const endCell = () => {
    row.push(cell.trim())
    cell = ""
  }
  const endRow = () => {
    endCell()
    if (row.some((value) => value !== "")) rows.push(row)
    row = []
  }
  for (let at = 0; at < clean.length; at++) {
    const sign = clean[at] ?? ""
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (clean[at + 1] === '"') {
        cell += sign
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell.trim() === "") {
      cell = ""
      isQuoted = true
    } else if (sign === separator) endCell()
    else if (sign === "\n") endRow()
    else if (sign !== "\r") cell += sign
  }
  endRow()
  return rows
}

/** Cells with a time hold a share of the day: 0.5 is noon. Anything else is as it was written. */
function clockOfDay(value: string): string {
  const share = /^(?:0?\.\d{3,}|0\.\d+|0|\d(?:\.\d+)?E-\d+)$/i.test(value) ? Number(value) : Number.NaN
  if (!(share >= 0 && share < 1)) return value
  const minutes = Math.round(share * 24 * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`
}

function listOf(cell: string): string[] {
  return cell.split(/[,;]/).flatMap((text) => text.trim() || [])
}

type Column = (typeof vehicleColumns)[number]

/** Limits, costs and certificates of a row; what is empty is left out. */
function termsOf(
  cell: (column: Column) => string,
  number: (column: string, value: string) => number | undefined,
): Partial<NewVehicle> {
  const read = (column: Column) => number(column, cell(column))
  const [maxDuration, kilometers, maxOvertime] = [read("Max minutes"), read("Max km"), read("Overtime")]
  const [breakMinutes, co2PerKilometer] = [read("Break minutes"), read("CO2 per km")]
  // "1, 2, 5" are Monday, Tuesday and Friday; days off are "2031-12-24, 2031-12-31".
  const workDays = listOf(cell("Work days")).map((day) => number("Work days", day) ?? 0)
  const daysOff = listOf(cell("Days off"))
  const costs = {
    day: read("Cost per day"),
    hour: read("Cost per hour"),
    overtimeHour: read("Cost per overtime hour"),
    kilometer: read("Cost per km"),
  }
  const given = Object.entries(costs).filter(([, cost]) => cost !== undefined)
  // "gas until 2031-05-04; lift"
  const skills = cell("Certificates")
    .split(";")
    .flatMap((text) => {
      const [name = "", validUntil] = text.trim().split(/\s+until\s+/i)
      return name === "" ? [] : [{ name, ...(validUntil ? { validUntil } : {}) }]
    })
  return {
    ...(cell("Start") ? { startCoordinate: cell("Start") } : {}),
    ...(cell("End") ? { endCoordinate: cell("End") } : {}),
    ...(maxDuration === undefined ? {} : { maxDuration }),
    ...(kilometers === undefined ? {} : { maxDistance: Math.round(kilometers * 1000) }),
    ...(maxOvertime === undefined ? {} : { maxOvertime }),
    ...(given.length > 0 ? { costs: Object.fromEntries(given) } : {}),
    ...(co2PerKilometer === undefined ? {} : { co2PerKilometer }),
    ...(breakMinutes === undefined ? {} : { breakMinutes }),
    ...(workDays.length > 0 ? { workDays } : {}),
    ...(daysOff.length > 0 ? { daysOff } : {}),
    ...(skills.length > 0 ? { skills } : {}),
  }
}

export function readVehicles(text: string, hubId: string): ReadVehicles {
  const [heads = [], ...rows] = readCells(text)
  const known = new Map(vehicleColumns.map((column) => [column.toLowerCase(), column]))
  const unreadable: UnreadableCell[] = []
  const vehicles = rows.flatMap((cells, index): NewVehicle[] => {
    const row = index + 2
    const cell = (column: (typeof vehicleColumns)[number]) =>
      cells[heads.findIndex((head) => head.toLowerCase() === column.toLowerCase())] ?? ""
    const number = (column: string, value: string): number | undefined => {
      const read = Number(value.replace(",", "."))
      if (value === "") return undefined
      if (Number.isFinite(read)) return read
      unreadable.push({ row, column, wanted: "number" })
      return undefined
    }
    const time = (column: (typeof vehicleColumns)[number], otherwise: string): string => {
      const value = cell(column)
      if (value === "") return otherwise
      const match = /^(\d{1,2})[:.](\d{2})(?::\d{2})?$/.exec(clockOfDay(value))
      if (match) return `${(match[1] ?? "").padStart(2, "0")}:${match[2]}`
      unreadable.push({ row, column, wanted: "time" })
      return otherwise
    }
    const [speed, fixedCost] = [number("Speed", cell("Speed")), number("Fixed cost", cell("Fixed cost"))]
    const [breakFrom, breakTo] = [time("Break from", ""), time("Break to", "")]
    const capacity = heads.flatMap((head, at): [string, { min: number; max: number }][] => {
      if (head === "" || known.has(head.toLowerCase())) return []
      const max = number(head, cells[at] ?? "")
      return max === undefined ? [] : [[head, { min: 0, max }]]
    })
    if (cell("Name") === "") return []
    return [
      {
        hubId,
        name: cell("Name"),
        assignee: cell("Driver") || null,
        ...(speed === undefined ? {} : { speed }),
        ...(fixedCost === undefined ? {} : { fixedCost }),
        tags: listOf(cell("Tags")),
        workingTime: { startTime: time("From", "08:00"), endTime: time("To", "17:00") },
        ...(breakFrom && breakTo ? { breakTime: { startTime: breakFrom, endTime: breakTo } } : {}),
        capacity: Object.fromEntries(capacity),
        ...termsOf(cell, number),
      },
    ]
  })
  return { vehicles, unreadable, hasNames: heads.some((head) => head.toLowerCase() === "name") }
}
