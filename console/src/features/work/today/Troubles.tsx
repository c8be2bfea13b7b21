import "./today.css"
import { IconFileAlert, IconPlugConnectedX, IconUserQuestion } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useNow } from "../../../ui/now.ts"
import { logPageQuery } from "../../extensions/automations/automations.queries.ts"
import { importsQuery } from "../../files/imports/imports.queries.ts"
import { silentQuery } from "../../location/tracking/silent.ts"
import { todayMessages } from "./messages.ts"

const dayMilliseconds = 86_400_000
const maxPeople = 5
const maxImports = 3
const minuteMilliseconds = 60_000

/** What went quiet or wrong in the last day besides tasks: people at work, imports, deliveries to other systems. */
export function Troubles({ hub }: { hub: string | undefined }) {
  const t = useMessages(todayMessages)
  const formats = useFormats()
  const { may } = useSession()
  const now = useNow(minuteMilliseconds)
  const { data: people = [] } = useQuery({
    ...silentQuery,
    refetchInterval: minuteMilliseconds,
    enabled: may("view/tracking"),
  })
  const { data: imports = [] } = useQuery({ ...importsQuery, enabled: may("import/data") })
  const today = new Date(now).toISOString().slice(0, 10)
  const { data: failed } = useQuery({
    ...logPageQuery({ isSuccess: false, day: today }, 1, 1),
    refetchInterval: minuteMilliseconds,
    enabled: may("view/automation"),
  })
  const silent = people.filter(({ hubIds }) => hub === undefined || hubIds.includes(hub))
  const broken = imports.filter(
    (entry) =>
      (entry.status === "failed" || entry.status === "partially") &&
      now - new Date(entry.createdTime).getTime() < dayMilliseconds,
  )
  const failures = failed?.total ?? 0
  if (silent.length + broken.length + failures === 0) return null
  return (
    <section className="card" aria-label={t("troubles")}>
      <header className="card-header">
        <h2>{t("troubles")}</h2>
      </header>
      <ul className="troubles">
        {silent.slice(0, maxPeople).map(({ userId, name, lastTime }) => (
          <Trouble key={userId} icon={<IconUserQuestion size={18} aria-hidden />}>
            <Link to={paths.tracking} search={{ person: userId }}>
              {t("silent", { name })}
            </Link>
            <span className="quiet">
              {lastTime ? t("lastSeen", { time: formats.ago(lastTime, now) }) : t("neverSeen")}
            </span>
          </Trouble>
        ))}
        {silent.length > maxPeople ? (
          <Trouble icon={<IconUserQuestion size={18} aria-hidden />}>
            <Link to={paths.tracking}>{t("moreSilent", { count: silent.length - maxPeople })}</Link>
          </Trouble>
        ) : null}
        {broken.slice(0, maxImports).map((entry) => (
          <Trouble key={entry._id} icon={<IconFileAlert size={18} aria-hidden />}>
            <Link to={paths.import} params={{ importId: entry._id }}>
              {t("badImport", { name: entry.filename, count: entry.totalInvalid })}
            </Link>
            <span className="quiet">{formats.dateTime(entry.createdTime)}</span>
          </Trouble>
        ))}
        {broken.length > maxImports ? (
          <Trouble icon={<IconFileAlert size={18} aria-hidden />}>
            <Link to={paths.imports}>{t("moreImports", { count: broken.length - maxImports })}</Link>
          </Trouble>
        ) : null}
        {failures > 0 ? (
          <Trouble icon={<IconPlugConnectedX size={18} aria-hidden />}>
            <Link to={paths.webhooks}>{t("failedDeliveries", { count: failures })}</Link>
          </Trouble>
        ) : null}
      </ul>
    </section>
  )
}

function Trouble({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      {icon}
      <span className="trouble-words">{children}</span>
    </li>
  )
}
