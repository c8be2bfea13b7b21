import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import type { Outcome } from "../targets/target.ts"
import type { Opened } from "./read-batch.ts"

/** Problems name the columns of the file: the title of a field is another one where a mapping filled it. */
export function withFileColumns(
  outcomes: readonly Outcome[],
  { plan, target, spool }: Pick<Opened, "plan" | "target" | "spool">,
): Outcome[] {
  const header = spool.header?.cells ?? []
  const names = new Map(
    target.fields.flatMap(({ id, title }) => {
      const texts = (plan.sources.get(id) ?? []).flatMap((position) => {
        const cell = header[position]
        return cell ? [cellToText(cell)] : []
      })
      return texts.length > 0 ? [[title, texts.join(", ")] as const] : []
    }),
  )
  return outcomes.map((outcome) =>
    outcome.kind === "refused"
      ? {
          ...outcome,
          problems: outcome.problems.map((problem) => ({
            ...problem,
            column: names.get(problem.column) ?? problem.column,
          })),
        }
      : outcome,
  )
}
