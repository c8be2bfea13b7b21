import "./tracking.css"
import "../../work/tasks/panel/panel.css"
import { CloseButton, Group } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { dayMessages } from "./day-messages.ts"
import type { Track } from "./tracks.ts"
import type { Visit } from "./visits.ts"

/** How far a person went on a day, and each session from start to finish with its distance, and where it led. */
export function DaySummary(props: {
  track: Track
  /** Writes a moment: its time, and where there are several days its day. */
  clock(text: string | null | undefined): string
  visits: readonly Visit[]
  color: string
  onRemove: (() => void) | undefined
}) {
  const { track, clock, visits, color, onRemove } = props
  const t = useMessages(dayMessages)
  const formats = useFormats()
  const duration = (minutes: number) => {
    const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
    return hours > 0 ? t("hours", { hours, minutes: rest }) : t("minutes", { minutes: rest })
  }
  return (
    <section aria-label={track.name}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap">
          <span className="movement" style={{ background: color }} aria-hidden />
          <strong>{track.name}</strong>
        </Group>
        {onRemove ? (
          <CloseButton size="sm" aria-label={t("removePerson", { name: track.name })} onClick={onRemove} />
        ) : null}
      </Group>
      {track.pointCount === 0 ? (
        <p className="quiet">{t("nothing")}</p>
      ) : (
        <>
          <p>
            {t("total", {
              distance: formats.distance(track.totalDistance * 1000),
              duration: duration(track.totalDuration),
            })}
          </p>
          <p className="quiet">{t("points", { count: track.pointCount })}</p>
          {track.flaggedCount > 0 ? (
            <p className="quiet">{t("flagged", { count: track.flaggedCount })}</p>
          ) : null}
        </>
      )}
      <h3 className="panel-heading" style={{ marginTop: 10 }}>
        {t("sessions")}
      </h3>
      {track.sessions.length === 0 ? (
        <p className="quiet">{t("noSessions")}</p>
      ) : (
        <ol className="history">
          {track.sessions.map((session) => (
            <li key={session._id}>
              <span>
                {clock(session.startTime)} –{" "}
                {session.finish ? clock(session.finish.finishTime) : t("running")}
              </span>
              {session.finish ? (
                <span className="quiet">
                  {t("total", {
                    distance: formats.distance(session.finish.totalDistance * 1000),
                    duration: duration(session.finish.totalDuration),
                  })}
                </span>
              ) : null}
            </li>
          ))}
        </ol>
      )}
      {visits.length > 0 ? (
        <>
          <h3 className="panel-heading" style={{ marginTop: 10 }}>
            {t("visits")}
          </h3>
          <ol className="history">
            {visits.map((visit) => (
              <li key={visit._id}>
                <span>{visit.placeName ?? t(visit.placeType === "hub" ? "someHub" : "someTask")}</span>
                <span className="quiet">
                  {clock(visit.arrivedTime)} – {visit.leftTime ? clock(visit.leftTime) : t("there")}
                </span>
              </li>
            ))}
          </ol>
        </>
      ) : null}
    </section>
  )
}
