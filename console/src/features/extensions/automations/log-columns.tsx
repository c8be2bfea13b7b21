import { useMemo } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Column } from "../../../ui/tables/VirtualGrid.tsx"
import type { LogHit } from "./automations.queries.ts"
import { Outcome } from "./LogEntry.tsx"
import { automationMessages } from "./messages.ts"
import { targetText } from "./target-text.ts"

/** The columns of a log of tries; a phone shows time and outcome. */
export function useLogColumns(options: { showsAutomation: boolean; isNarrow: boolean }): Column<LogHit>[] {
  const { showsAutomation, isNarrow } = options
  const t = useMessages(automationMessages)
  const formats = useFormats()
  return useMemo(() => {
    const time: Column<LogHit> = {
      id: "time",
      title: t("time"),
      width: isNarrow ? "minmax(130px, 1fr)" : "190px",
      sort: "time",
      render: ({ _source }) => formats.dateTime(_source.startRequestTime),
    }
    const outcome: Column<LogHit> = {
      id: "outcome",
      title: t("outcome"),
      width: "130px",
      sort: "isSuccess",
      groupOf: ({ _source }) => t(_source.isSuccess === "true" ? "succeeded" : "failed"),
      render: ({ _source }) => <Outcome isSuccess={_source.isSuccess === "true"} />,
    }
    if (isNarrow) return [time, outcome]
    const automation: Column<LogHit> = {
      id: "automation",
      title: t("automation"),
      width: "minmax(140px, 1fr)",
      sort: "automationName",
      groupOf: ({ _source }) => _source.automationName,
      render: ({ _source }) => _source.automationName,
    }
    const statusOf = ({ _source: { statusCode } }: LogHit) =>
      statusCode === "0" ? t("noAnswer") : statusCode
    const attemptOf = ({ _source }: LogHit) => String(Number(_source.attempt) + 1)
    const targetOf = ({ _source }: LogHit) => targetText(_source.automationUrl, t)
    return [
      time,
      ...(showsAutomation ? [automation] : []),
      outcome,
      {
        id: "status",
        title: t("status"),
        width: "120px",
        sort: "statusCode",
        groupOf: statusOf,
        render: statusOf,
      },
      {
        id: "attempt",
        title: t("attempt"),
        width: "100px",
        sort: "attempt",
        groupOf: attemptOf,
        render: attemptOf,
      },
      {
        id: "target",
        title: t("target"),
        width: "minmax(180px, 1.4fr)",
        sort: "automationUrl",
        groupOf: targetOf,
        render: (hit) => <span className="quiet">{targetOf(hit)}</span>,
      },
    ]
  }, [showsAutomation, isNarrow, t, formats])
}
