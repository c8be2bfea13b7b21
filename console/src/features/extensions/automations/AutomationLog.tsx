import "../../../ui/StatusBadge.css"
import "./automations.css"
import { Select, TextInput } from "@mantine/core"
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks"
import { IconHistory, IconRefresh } from "@tabler/icons-react"
import { type ReactNode, useMemo, useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FilterBuilder } from "../../../ui/filters/FilterBuilder.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { GroupedGrid } from "../../../ui/tables/GroupedGrid.tsx"
import { useListWindow } from "../../../ui/tables/list-window.ts"
import { type LogHit, logPageQuery } from "./automations.queries.ts"
import { LogEntry } from "./LogEntry.tsx"
import { useLogColumns } from "./log-columns.tsx"
import { useLogFilterFields } from "./log-filter-fields.ts"
import { type LogSearch, logOrders } from "./log-search.ts"
import { automationMessages } from "./messages.ts"

const searchDelayMilliseconds = 250

interface AutomationLogProps {
  /** Of one automation; without it, of all. */
  automationId?: string
  search: LogSearch
  onChange(search: LogSearch): void
  /** Beside the filters. */
  children?: ReactNode
}

/** Every try of one automation, or of all, newest first. */
export function AutomationLog({ automationId, search, onChange, children }: AutomationLogProps) {
  const t = useMessages(automationMessages)
  const { may } = useSession()
  const [openHit, setOpen] = useState<LogHit>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { outcome, day, reference, sort, order, group, filter: built } = search
  const filter = useMemo(
    () => ({
      automationId,
      isSuccess: outcome === undefined ? undefined : outcome === "succeeded",
      day,
      referenceId: reference?.trim() || undefined,
      built,
      sortBy: sort,
      sortOrder: order,
    }),
    [automationId, outcome, day, reference, built, sort, order],
  )
  const hits = useListWindow<LogHit>((page) => logPageQuery(filter, page))
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const columns = useLogColumns({ showsAutomation: automationId === undefined, isNarrow })
  const filterFields = useLogFilterFields(automationId === undefined)
  const again = useAction(
    () => dataOf(server.post("/api/v3/automation-retries", { body: { id: [...selected] } })),
    {
      refreshes: [["automations", "log"]],
      onDone: ({ success, total }) => {
        setSelected(new Set())
        notifyDone(t("againResult", { success, total }))
      },
    },
  )
  const change = (options: { [Key in keyof LogSearch]?: LogSearch[Key] | undefined }) => {
    setSelected(new Set())
    onChange({ ...search, ...options } as LogSearch)
  }
  const [words, setWords] = useState(reference ?? "")
  const changeLater = useDebouncedCallback(change, searchDelayMilliseconds)
  return (
    <div className="log">
      <div className="log-filters">
        <Select
          label={t("outcome")}
          data={[
            { value: "all", label: t("anyOutcome") },
            { value: "failed", label: t("failed") },
            { value: "succeeded", label: t("succeeded") },
          ]}
          value={outcome ?? "all"}
          allowDeselect={false}
          onChange={(value) =>
            change({ outcome: value === "failed" || value === "succeeded" ? value : undefined })
          }
        />
        <DateTimeInput
          type="date"
          label={t("day")}
          {...bindText(day ?? "", (next) => change({ day: next || undefined }))}
        />
        <TextInput
          label={t("reference")}
          {...bindText(words, (next) => {
            setWords(next)
            changeLater({ reference: next.trim() || undefined })
          })}
        />
        <FilterBuilder fields={filterFields} filter={built} onChange={(next) => change({ filter: next })} />
        {children}
        {selected.size > 0 ? (
          <ActionButton
            icon={IconRefresh}
            label={t("againSelected", { count: selected.size })}
            loading={again.isPending}
            onClick={() => again.mutate()}
          />
        ) : null}
      </div>
      <FormError error={again.error} />
      <GroupedGrid<LogHit>
        list={hits}
        whole={(limit) => logPageQuery(filter, 1, limit)}
        group={group}
        onGroup={(next) => change({ group: next })}
        name="deliveries"
        icon={IconHistory}
        label={t("log")}
        columns={columns}
        nameOf={({ _source }) => _source.startRequestTime}
        selected={selected}
        onSelect={may("edit/automation") ? setSelected : undefined}
        onOpen={setOpen}
        openId={openHit?._id}
        sort={{ by: sort ?? "time", order: order ?? "desc" }}
        onSort={(by) =>
          change({
            sort: logOrders.find((known) => known === by),
            order: by === (sort ?? "time") && order !== "asc" ? "asc" : undefined,
          })
        }
        nothing={
          outcome || day || reference || built
            ? {
                title: t("logNothing"),
                text: "",
                onClear: () => {
                  setWords("")
                  change({ outcome: undefined, day: undefined, reference: undefined, filter: undefined })
                },
              }
            : undefined
        }
      >
        <EmptyState icon={IconHistory} title={t("logEmpty")} text={t("logEmptyText")} />
      </GroupedGrid>
      {openHit ? <LogEntry hit={openHit} onClose={() => setOpen(undefined)} /> : null}
    </div>
  )
}
