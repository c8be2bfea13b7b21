import { Button, SegmentedControl, Switch } from "@mantine/core"
import { IconGauge } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { type CSSProperties, useState } from "react"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { useNow } from "../../../ui/now.ts"
import { type RoadSpeeds, speedsQuery } from "./maps.queries.ts"
import { speedMessages } from "./messages.ts"

/** How fast the organization drives, by class of road and hour, learned from its recorded positions. */
export function SpeedsPanel() {
  const t = useMessages(speedMessages)
  const formats = useFormats()
  const now = useNow(60_000)
  const { may } = useSession()
  const { data: speeds } = useSuspenseQuery(speedsQuery)
  const [day, setDay] = useState(0)
  const use = useAction((isUsed: boolean) => server.put("/api/v3/road-speeds", { body: { isUsed } }), {
    refreshes: [speedsQuery.queryKey],
  })
  const canChange = may("edit/organization")
  const count = formats.number(speeds.stretches)
  return (
    <section className="card speeds" aria-label={t("title")}>
      <header className="card-header">
        <h2>{t("title")}</h2>
        <span className="quiet">
          {speeds.learnedTime ? t("learned", { ago: formats.ago(speeds.learnedTime, now), count }) : null}
        </span>
      </header>
      <div className="speeds-content">
        <p className="quiet">{t("text")}</p>
        <FormError error={use.error} />
        <Switch
          label={t("use")}
          checked={speeds.isUsed}
          disabled={!canChange || use.isPending}
          onChange={({ currentTarget }) => use.mutate(currentTarget.checked)}
        />
        {speeds.classes.length === 0 ? (
          <EmptyState icon={IconGauge} title={t("emptyTitle")} text={t("emptyText")} />
        ) : (
          <>
            {speeds.isEnough ? null : <p className="quiet">{t("tooFew")}</p>}
            <DayChoice day={day} onChange={setDay} />
            <SpeedTable classes={speeds.classes} day={day} />
            {canChange ? <DeleteButton /> : null}
          </>
        )}
      </div>
    </section>
  )
}

/** A Monday. */
const firstDay = Date.UTC(2024, 0, 1)
const dayMilliseconds = 86_400_000

function DayChoice({ day, onChange }: { day: number; onChange(day: number): void }) {
  const t = useMessages(speedMessages)
  const { locale } = useLanguage()
  const name = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" })
  const data = Array.from({ length: 7 }, (_, index) => ({
    value: String(index),
    label: name.format(firstDay + index * dayMilliseconds),
  }))
  return (
    <SegmentedControl
      aria-label={t("day")}
      className="speeds-days"
      value={String(day)}
      onChange={(value) => onChange(Number(value))}
      data={data}
    />
  )
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

function SpeedTable({ classes, day }: { classes: RoadSpeeds["classes"]; day: number }) {
  const t = useMessages(speedMessages)
  const formats = useFormats()
  const nameOf = (roadClass: string) => t(roadClass as "primary")
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="speeds-scroll" aria-label={t("table")} tabIndex={0}>
      <table>
        <caption className="quiet">{t("caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("road")}</th>
            <th scope="col">{t("driven")}</th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map(({ roadClass, hours: driven, shares }) => (
            <tr key={roadClass}>
              <th scope="row">{nameOf(roadClass)}</th>
              <td>{t("hours", { hours: formats.number(Math.round(driven * 10) / 10) })}</td>
              {hours.map((hour) => {
                const percent = Math.round((shares[day * 24 + hour] ?? 1) * 100)
                return (
                  <td key={hour} className={percent < 100 ? "slower" : "faster"} style={strengthOf(percent)}>
                    {formats.number(percent)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A speed that differs by half is drawn in full colour. */
function strengthOf(percent: number): CSSProperties {
  return { "--strength": `${Math.min(50, Math.abs(percent - 100))}%` } as CSSProperties
}

function DeleteButton() {
  const t = useMessages(speedMessages)
  const [isAsking, setAsking] = useState(false)
  const removal = useAction(() => server.delete("/api/v3/road-speeds", {}), {
    refreshes: [speedsQuery.queryKey],
    done: () => t("deleted"),
  })
  return (
    <div>
      <FormError error={removal.error} />
      <Button variant="default" size="compact-sm" loading={removal.isPending} onClick={() => setAsking(true)}>
        {t("delete")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("deleteTitle")}
        text={t("deleteText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={() => removal.mutate()}
      />
    </div>
  )
}
