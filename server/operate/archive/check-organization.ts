import type { Readable } from "node:stream"
import { isPrivate } from "#core/objects/objects.ts"
import { CommandRefusal } from "../command.ts"
import type { ArchiveTable, Manifest, ObjectEntry } from "./manifest.ts"

/**
 * An archive of an organization may come from anybody: an owner downloads it, edits it, and hands it to an operator.
 * So before anything of it is stored every row is read, and must belong to the organization that the manifest names.
 */

/** What the installation knows: the columns of each table that an archive may hold. */
export type KnownTables = ReadonlyMap<string, readonly string[]>

export interface CheckedArchive {
  manifest: Manifest
  rows(table: ArchiveTable): Readable
  objects(): AsyncIterable<ObjectEntry>
}

type Check = (value: string) => boolean

const idPattern = /^[0-9a-f]{24}$/
const maxPeople = 10_000_000
const maxMonths = 1_200

/** Columns that name an object of the store. */
const keyColumns = new Set(["file_key", "rows_key", "failed_key", "script_key", "icon_key"])

export async function checkOrganization(archive: CheckedArchive, known: KnownTables): Promise<void> {
  const { manifest } = archive
  const organization = manifest.organization
  if (!organization) throw new CommandRefusal("The archive contains no organization")
  const people = manifest.sequences.find(({ name }) => name === "users_number_seq")?.value ?? 1
  if (people < 1 || people > maxPeople || manifest.locationMonths.length > maxMonths)
    throw new CommandRefusal("The archive declares more people or months than an organization can have")
  checkTables(manifest.tables, known)
  const accounts = { there: new Set<string>(), named: new Set<string>() }
  for (const table of manifest.tables) {
    const checks = checksOf(table, organization, people)
    const place = (column: string) =>
      table.name === "users" || table.name === "accounts" ? table.columns.indexOf(column) : -1
    const [accountPlace, idPlace] = [place("account_id"), table.name === "accounts" ? place("id") : -1]
    let count = 0
    for await (const values of rowsOf(table, archive.rows(table))) {
      count += 1
      for (const [index, check] of checks)
        if (!check(values[index] as string))
          throw new CommandRefusal(
            `The archive cannot be trusted: row ${count} of ${table.name} has ${table.columns[index]} = ${shorten(values[index] as string)}, which is not of organization ${organization.id}. Nothing was changed`,
          )
      if (accountPlace >= 0) accounts.named.add(values[accountPlace] as string)
      if (idPlace >= 0) accounts.there.add(values[idPlace] as string)
    }
    if (count !== table.rows || (table.name === "organizations" && count !== 1))
      throw new CommandRefusal(
        `The archive cannot be trusted: ${table.name} has ${count} rows, not ${table.rows}`,
      )
  }
  for (const id of accounts.there)
    if (!accounts.named.has(id))
      throw new CommandRefusal(
        `The archive cannot be trusted: nobody of the organization has the account ${id}`,
      )
  for await (const { key } of archive.objects())
    if (!isOwnKey(key, organization.id) || isPrivate(key))
      throw new CommandRefusal(
        `The archive cannot be trusted: its file ${key} is not of organization ${organization.id}`,
      )
}

function checkTables(tables: readonly ArchiveTable[], known: KnownTables): void {
  const seen = new Set<string>()
  for (const { name, schema, columns } of tables) {
    const expected = schema === "public" ? known.get(name) : undefined
    if (!expected || seen.has(name))
      throw new CommandRefusal(
        `The archive has a table ${schema}.${name} ${seen.has(name) ? "twice" : "that organizations do not have in this version"}. Nothing was changed`,
      )
    seen.add(name)
    const unknown = columns.find(
      (column, index) => !expected.includes(column) || columns.indexOf(column) !== index,
    )
    if (unknown !== undefined)
      throw new CommandRefusal(
        `The archive has a column ${name}.${unknown} that is unknown to this version or listed twice. Nothing was changed`,
      )
    const lacking = [
      "organization_id",
      "organization_number",
      "for_organization_id",
      "id",
      "number",
      "account_id",
    ]
    const missing = lacking.find((column) => expected.includes(column) && !columns.includes(column))
    if (missing !== undefined)
      throw new CommandRefusal(`The archive lacks the column ${name}.${missing}. Nothing was changed`)
  }
}

function checksOf(
  { name, columns }: ArchiveTable,
  organization: { id: string; number: number },
  people: number,
): [place: number, check: Check][] {
  const isPerson = (text: string) => /^[0-9]{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= people
  const orNull = (check: Check) => (text: string) => text === "\\N" || check(text)
  const isOwn = (text: string) => text === organization.id
  const isOwnFile = (text: string) => isOwnKey(text, organization.id)
  const byColumn: Record<string, Check> = {
    organization_id: isOwn,
    for_organization_id: isOwn,
    organization_number: (text) => text === String(organization.number),
    person_number: orNull(isPerson),
    account_id: (text) => idPattern.test(text),
    ...(name === "organizations"
      ? { id: isOwn, number: (text) => text === String(organization.number) }
      : {}),
    ...(name === "users" ? { number: isPerson } : {}),
    ...(name === "location_points" ? { created_by: orNull(isPerson) } : {}),
    ...(name === "file_links" ? { key: isOwnFile } : {}),
    ...(name === "organizations" ? {} : { id: (text: string) => isId(text, organization.id) }),
  }
  return columns.flatMap((column, place): [number, Check][] => {
    const check = keyColumns.has(column) ? orNull(isOwnFile) : byColumn[column]
    return check ? [[place, check]] : []
  })
}

/** An id, a number that the database gave out, or a name made of the organization's id, as days of positions have. */
function isId(text: string, organizationId: string): boolean {
  if (idPattern.test(text) || /^[0-9]{1,18}$/.test(text)) return true
  return text.startsWith(`${organizationId}_`) && /^[^/\\]{1,400}$/.test(text)
}

/** `<organization>/…` without a way out of it. */
function isOwnKey(key: string, organizationId: string): boolean {
  const [first, ...rest] = key.split("/")
  return (
    first === organizationId &&
    rest.length > 0 &&
    rest.every((part) => /^[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,199}$/.test(part))
  )
}

/**
 * The rows of COPY text. PostgreSQL writes a line feed at the end of each and no other line break anywhere, so that one
 * which reads lines differently than it does cannot be made.
 */
async function* rowsOf({ name, columns }: ArchiveTable, content: Readable): AsyncGenerator<string[]> {
  let rest = ""
  const split = (line: string): string[] => {
    const values = line.split("\t")
    if (values.length !== columns.length || line.includes("\r"))
      throw new CommandRefusal(
        `The archive cannot be trusted: a row of ${name} has another number of columns than its table`,
      )
    return values
  }
  for await (const chunk of content) {
    const lines = (rest + (chunk as Buffer).toString("latin1")).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) yield split(line)
  }
  if (rest !== "") throw new CommandRefusal(`The archive is damaged: the last row of ${name} is incomplete`)
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
