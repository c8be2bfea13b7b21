import "../../../ui/StatusBadge.css"
import "./automations.css"
import { Checkbox, Select, TextInput, UnstyledButton } from "@mantine/core"
import { IconChevronLeft, IconChevronRight, IconHistory, IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { type LogHit, logPageSize, logQuery } from "./automations.queries.ts"
import { LogEntry, Outcome } from "./LogEntry.tsx"
import { automationMessages } from "./messages.ts"
import { targetText } from "./target-text.ts"

/** Every try of one automation, or of all, newest first. */
export function AutomationLog({ automationId }: { automationId?: string }) {
  const t = useMessages(automationMessages)
  const { may } = useSession()
  const [outcome, setOutcome] = useState<"all" | "failed" | "succeeded">("all")
  const [day, setDay] = useState("")
  const [referenceId, setReference] = useState("")
  const [page, setPage] = useState(1)
  const [openHit, setOpen] = useState<LogHit>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const filter = {
    automationId,
    isSuccess: outcome === "all" ? undefined : outcome === "succeeded",
    day: day || undefined,
    referenceId: referenceId.trim() || undefined,
  }
  const { data, error } = useQuery(logQuery(filter, page))
  const again = useAction(
    () => {
      const body = { id: [...selected] }
      return dataOf(server.post("/api/v3/automation-retries", { body }))
    },
    {
      refreshes: [["automations", "log"]],
      onDone: ({ success, total }) => {
        setSelected(new Set())
        notifyDone(t("againResult", { success, total }))
      },
    },
  )
  const narrow = (apply: () => void) => {
    apply()
    setPage(1)
    setSelected(new Set())
  }
  const hits = data?.data ?? []
  const isFiltered = outcome !== "all" || day !== "" || referenceId !== ""
  if (data && data.total === 0 && !isFiltered)
    return <EmptyState icon={IconHistory} title={t("logEmpty")} text={t("logEmptyText")} />
  return (
    <>
      <div className="log-filters">
        <Select
          label={t("outcome")}
          data={[
            { value: "all", label: t("anyOutcome") },
            { value: "failed", label: t("failed") },
            { value: "succeeded", label: t("succeeded") },
          ]}
          value={outcome}
          allowDeselect={false}
          onChange={(value) => narrow(() => value && setOutcome(value as typeof outcome))}
        />
        <DateTimeInput type="date" label={t("day")} {...bindText(day, (day) => narrow(() => setDay(day)))} />
        <TextInput
          label={t("reference")}
          {...bindText(referenceId, (referenceId) => narrow(() => setReference(referenceId)))}
        />
        {selected.size > 0 ? (
          <ActionButton
            icon={IconRefresh}
            label={t("againSelected", { count: selected.size })}
            loading={again.isPending}
            onClick={() => again.mutate()}
          />
        ) : null}
      </div>
      <FormError error={error ?? again.error} />
      {data && hits.length === 0 ? <p className="quiet">{t("logNothing")}</p> : null}
      {hits.length > 0 ? (
        <LogTable
          hits={hits}
          showsAutomation={automationId === undefined}
          selected={may("edit/automation") ? selected : undefined}
          onSelect={setSelected}
          onOpen={setOpen}
        />
      ) : null}
      {data && data.total > logPageSize ? <Pages page={page} total={data.total} onPage={setPage} /> : null}
      {openHit ? <LogEntry hit={openHit} onClose={() => setOpen(undefined)} /> : null}
    </>
  )
}

interface LogTableProps {
  hits: readonly LogHit[]
  showsAutomation: boolean
  /** Undefined where nothing can be sent again. */
  selected: ReadonlySet<string> | undefined
  onSelect(selected: ReadonlySet<string>): void
  onOpen(hit: LogHit): void
}

function LogTable({ hits, showsAutomation, selected, onSelect, onOpen }: LogTableProps) {
  const t = useMessages(automationMessages)
  const formats = useFormats()
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {selected ? <th aria-label={t("again")} style={{ width: 32 }} /> : null}
          <th>{t("time")}</th>
          {showsAutomation ? <th>{t("automation")}</th> : null}
          <th>{t("outcome")}</th>
          <th className={showsAutomation ? "from-sm" : ""}>{t("status")}</th>
          <th className="from-sm">{t("attempt")}</th>
          <th className="from-sm">{t("target")}</th>
        </tr>
      </thead>
      <tbody>
        {hits.map((hit) => {
          const { _source: entry } = hit
          const time = formats.dateTime(entry.startRequestTime)
          return (
            <tr key={hit._id}>
              {selected ? (
                <td>
                  <Checkbox
                    size="xs"
                    aria-label={t("selectTry", { time })}
                    checked={selected.has(hit._id)}
                    onChange={() => toggle(hit._id)}
                  />
                </td>
              ) : null}
              <td className="no-break">
                <UnstyledButton
                  className="row-link"
                  aria-label={t("open", { time })}
                  onClick={() => onOpen(hit)}
                >
                  {time}
                </UnstyledButton>
              </td>
              {showsAutomation ? <td>{entry.automationName}</td> : null}
              <td>
                <Outcome isSuccess={entry.isSuccess === "true"} />
              </td>
              <td className={showsAutomation ? "from-sm" : ""}>
                {entry.statusCode === "0" ? t("noAnswer") : entry.statusCode}
              </td>
              <td className="from-sm">{Number(entry.attempt) + 1}</td>
              <td className="from-sm quiet" style={{ maxWidth: 320 }}>
                <div className="truncate">{targetText(entry.automationUrl, t)}</div>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage(page: number): void }) {
  const t = useMessages(automationMessages)
  const from = (page - 1) * logPageSize + 1
  const to = Math.min(total, page * logPageSize)
  return (
    <div className="log-pages">
      <IconButton
        icon={IconChevronLeft}
        label={t("newer")}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <span className="quiet">{t("pageOf", { from, to, total })}</span>
      <IconButton
        icon={IconChevronRight}
        label={t("older")}
        disabled={to >= total}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}
