import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { useColumnSettings } from "./column-settings.ts"
import { EntityGrid, type EntityGridProps } from "./EntityGrid.tsx"
import type { PageQuery } from "./list-window.ts"
import { useLocalGroups } from "./local-groups.tsx"

interface GroupedGridProps<Row extends { _id: string }>
  extends Omit<EntityGridProps<Row>, "grouping" | "groupAt" | "totalOf"> {
  /** The whole list, as far as a page of this length goes. */
  whole(limit: number): PageQuery<Row>
}

const none: readonly string[] = []

/** A list that is grouped by a column and added up here, in the browser. */
export function GroupedGrid<Row extends { _id: string }>({ whole, ...props }: GroupedGridProps<Row>) {
  const t = useMessages(shellMessages)
  const { settings, keep } = useColumnSettings(props.name, props.hiddenAtFirst ?? none)
  const group = settings.group ?? undefined
  const { notice, ...grouped } = useLocalGroups({ list: props.list, whole, columns: props.columns, group })
  return (
    <>
      {notice ? <p className="quiet table-notice">{notice}</p> : null}
      <EntityGrid<Row>
        {...props}
        {...grouped}
        grouping={{
          label: t("columns"),
          choices: props.columns.flatMap(({ id, title, groupOf }) =>
            groupOf ? [{ value: id, label: title }] : [],
          ),
          value: group,
          onChange: (next) => keep({ ...settings, group: next ?? null }),
        }}
      />
    </>
  )
}
