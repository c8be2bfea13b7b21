import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import { paths } from "../../../paths.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { useAlarmName } from "../../location/tracking/attribute-facts.ts"
import { alertMessages } from "./alert-messages.ts"
import type { Alert } from "./alerts.queries.ts"

interface AlertTableProps {
  alerts: readonly Alert[]
  onAcknowledge(id: string): void
}

/** Alerts, each with what it is about: the person and moment on the map, and the task. */
export function AlertTable({ alerts, onAcknowledge }: AlertTableProps) {
  const t = useMessages(alertMessages)
  const formats = useFormats()
  const alarmName = useAlarmName()
  return (
    <DataTable
      rows={alerts}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("what"),
          kind: "name",
          cell: (alert) => (
            <>
              {alert.ruleName}
              <div className="quiet">
                {[t(alert.kind), readingOf(alert, t, alarmName)].filter(Boolean).join(" · ")}
              </div>
              <div className="until-sm">
                <WhoOf alert={alert} />
              </div>
            </>
          ),
        },
        {
          title: t("who"),
          from: "sm",
          cell: (alert) => <WhoOf alert={alert} />,
        },
        { title: t("where"), from: "md", kind: "quiet", cell: ({ placeName }) => placeName ?? "" },
        {
          title: t("began"),
          cell: ({ startedTime, endedTime }) => (
            <>
              <Link to={paths.moment} search={{ at: instantText(startedTime) }}>
                {formats.dateTime(startedTime)}
              </Link>
              <div className="quiet">
                {endedTime ? `${t("ended")} ${formats.dateTime(endedTime)}` : t("stillSo")}
              </div>
            </>
          ),
        },
        {
          title: t("acknowledged"),
          kind: "actions",
          cell: (alert) =>
            alert.acknowledgedTime ? (
              <span className="quiet">
                {formats.dateTime(alert.acknowledgedTime)}
                <br />
                {t("acknowledgedBy", { by: alert.acknowledgedBy ?? "" })}
              </span>
            ) : (
              <RowButton
                label={t("acknowledge")}
                of={`${alert.ruleName} ${alert.name ?? ""}`}
                onClick={() => onAcknowledge(alert._id)}
              />
            ),
        },
      ]}
    />
  )
}

/** The person on the map, and the task. */
function WhoOf({ alert }: { alert: Alert }) {
  const t = useMessages(alertMessages)
  const { userId, name, taskId } = alert
  return (
    <>
      {userId ? (
        <Link to={paths.tracking} search={momentOf(alert)} aria-label={`${t("showMap")}: ${name}`}>
          {name}
        </Link>
      ) : (
        name
      )}
      {taskId ? (
        <div>
          <Link to={paths.tasks} search={{ task: taskId }}>
            {t("showTask")}
          </Link>
        </div>
      ) : null}
    </>
  )
}

/** In the address of the time machine. */
const instantText = (time: string) => new Date(time).toISOString()

/** The day and the person on the map; while it lasts, the person live. */
function momentOf({ userId, startedTime, endedTime, lat, lon }: Alert) {
  const person = userId ?? ""
  if (endedTime !== null) return { person, day: startedTime.slice(0, 10) }
  return { person, ...(lat === null || lon === null ? {} : { at: `${lat},${lon}` }) }
}

function readingOf(
  { kind, value, text, state }: Alert,
  t: Translate<typeof alertMessages>,
  alarmName: (alarm: string) => string,
): string {
  if (state === "soon" || state === "overdue") return [text, t(state)].filter(Boolean).join(" · ")
  if (text && kind === "inspection") return text
  if (text) return alarmName(text)
  if (value === null) return ""
  if (kind === "speed" || kind === "outsideHours") return t("valueSpeed", { value })
  return t(kind === "battery" ? "valueBattery" : "valueMinutes", { value })
}
