import type { CatalogTable } from "./catalog.ts"

interface PlannedTable {
  name: string
  /** The distribution column; undefined: the table stays on the coordinator. */
  column: string | undefined
  /** Why Citus would refuse to distribute the table; empty where it stays because the layout says so. */
  obstacles: string[]
}

/**
 * Where each table goes, from the catalog and the layout. Throws nothing: a table of the layout with obstacles has both
 * a column and obstacles, and the command refuses it.
 */
export function planDistribution(
  catalog: readonly CatalogTable[],
  layout: Readonly<Record<string, string>>,
): PlannedTable[] {
  return catalog.map((table) => ({
    name: table.name,
    column: layout[table.name],
    obstacles: obstaclesOf(table, layout),
  }))
}

/** What Citus 13 refuses of a table that is to be distributed by the organization, in its own order. */
function obstaclesOf(table: CatalogTable, layout: Readonly<Record<string, string>>): string[] {
  const column = layout[table.name] ?? organizationColumn(table)
  if (column === undefined) return ["it has no column of the organization"]
  return [
    ...(table.columns.includes(column) ? [] : [`it has no column ${column}`]),
    ...table.triggers.map((name) => `trigger ${name}`),
    ...table.uniques
      .filter(({ columns }) => !columns.includes(column))
      .map(({ name }) => `unique index ${name} without ${column}`),
    ...table.foreignKeys.flatMap((key) => {
      const targetColumn = layout[key.target]
      if (targetColumn === undefined) return [`foreign key ${key.name} to ${key.target} on the coordinator`]
      const isTogether = key.columns.some(
        (name, place) => name === column && key.targetColumns[place] === targetColumn,
      )
      return isTogether ? [] : [`foreign key ${key.name} without ${column}`]
    }),
  ]
}

function organizationColumn({ columns }: CatalogTable): string | undefined {
  return columns.find((name) => name === "organization_id" || name === "organization_number")
}

/** Foreign keys of other tables into one that is distributed: Citus refuses these as well. */
export function keysInto(
  catalog: readonly CatalogTable[],
  layout: Readonly<Record<string, string>>,
): string[] {
  return catalog
    .filter(({ name }) => layout[name] === undefined)
    .flatMap(({ name, foreignKeys }) =>
      foreignKeys
        .filter(({ target }) => layout[target] !== undefined)
        .map((key) => `${name}: foreign key ${key.name} to ${key.target} on the workers`),
    )
}

/** The plan as the dry run prints it. */
export function showPlan(plan: readonly PlannedTable[]): string {
  const width = Math.max(...plan.map(({ name }) => name.length))
  const lines = [...plan]
    .sort((a, b) => Number(a.column === undefined) - Number(b.column === undefined))
    .map(({ name, column, obstacles }) =>
      column === undefined
        ? `coordinator  ${name.padEnd(width)}  ${summary(obstacles)}`
        : `workers      ${name.padEnd(width)}  by ${column}${obstacles.length > 0 ? `; refused: ${obstacles.join(", ")}` : ""}`,
    )
  const moved = plan.filter(({ column }) => column !== undefined).length
  return [...lines, "", `${moved} to the workers, ${plan.length - moved} stay on the coordinator`].join("\n")
}

function summary(obstacles: readonly string[]): string {
  if (obstacles.length === 0) return "by layout"
  const [first = ""] = obstacles
  return obstacles.length === 1 ? first : `${first} and ${obstacles.length - 1} more`
}
