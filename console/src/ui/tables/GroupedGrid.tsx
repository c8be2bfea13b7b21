import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { EntityGrid, type EntityGridProps } from "./EntityGrid.tsx"
import type { PageQuery } from "./list-window.ts"
import { useLocalGroups } from "./local-groups.tsx"

interface GroupedGridProps<Row extends { _id: string }>
  extends Omit<EntityGridProps<Row>, "grouping" | "groupAt" | "totalOf"> {
  /** All rows in their order, or how the list is read as far as a page of this length goes. */
  whole: readonly Row[] | ((limit: number) => PageQuery<Row>)
  /** The column by which rows are grouped: a part of the address, and so of saved views. */
  group: string | undefined
  onGroup(group: string | undefined): void
}

/** A list that is grouped by a column and added up here, in the browser. */
export function GroupedGrid<Row extends { _id: string }>(props: GroupedGridProps<Row>) {
  const { whole, group, onGroup, ...grid } = props
  const t = useMessages(shellMessages)
  const { notice, ...grouped } = useLocalGroups({ list: grid.list, whole, columns: grid.columns, group })
  return (
    <>
      {notice ? <p className="quiet table-notice">{notice}</p> : null}
      <EntityGrid<Row>
        {...grid}
        {...grouped}
        grouping={{
          label: t("columns"),
          choices: grid.columns.flatMap(({ id, title, groupOf }) =>
            groupOf ? [{ value: id, label: title }] : [],
          ),
          value: group,
          onChange: onGroup,
        }}
      />
    </>
  )
}
