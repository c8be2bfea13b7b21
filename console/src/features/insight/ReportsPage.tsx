import "./insight.css"
import { Menu, Select } from "@mantine/core"
import { IconAdjustments, IconDownload, IconLayoutDashboard, IconMail, IconPlus } from "@tabler/icons-react"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import type { ReportMetricName } from "#shared/report-metrics.ts"
import { localOf } from "../../i18n/day-bounds.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useLanguage, useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/chosen-hub.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { SavedViews } from "../people/saved-views/SavedViews.tsx"
import { useFirstTiles, useOwnTiles } from "./dashboard-tiles.ts"
import { insightMessages } from "./messages.ts"
import { ReportControls } from "./ReportControls.tsx"
import { ReportView } from "./ReportView.tsx"
import { type ReportSearch, readReportSearch } from "./report-search.ts"
import { optionsOf } from "./reports.queries.ts"
import { TargetsDialog } from "./TargetsDialog.tsx"

const SchedulesDialog = lazy(() => import("./SchedulesDialog.tsx"))

/** Figures of a period with their chart and table; the address contains what is shown. */
export function ReportsPage() {
  const t = useMessages(insightMessages)
  const search = useSearch({ from: "/signed-in/reports" })
  const navigate = useNavigate({ from: paths.reports })
  const { may, organization } = useSession()
  const hub = useChosenHub()
  const formats = useFormats()
  const [isEditing, setEditing] = useState(false)
  const [isMailing, setMailing] = useState(false)
  const today = localOf(new Date(), organization.timeZone).slice(0, 10)
  const saved = readReportSearch({ ...search })
  const options = optionsOf(saved, { hub, today })
  const change = (changes: { [Key in keyof ReportSearch]?: ReportSearch[Key] | undefined }) =>
    void navigate({ search: (current) => ({ ...current, ...changes }) as ReportSearch, replace: true })
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={formats.days(options.query.from, options.query.until)}>
        <ActionButton
          component={Link}
          to={paths.dashboard}
          variant="default"
          icon={IconLayoutDashboard}
          label={t("dashboard")}
        />
        <PinButton search={saved} />
        <Download query={options.query} />
        <ActionButton
          variant="default"
          icon={IconMail}
          label={t("schedules")}
          onClick={() => setMailing(true)}
        />
        {may("edit/organization") ? (
          <ActionButton
            variant="default"
            icon={IconAdjustments}
            label={t("targets")}
            onClick={() => setEditing(true)}
          />
        ) : null}
      </PageHeader>
      <div className="toolbar toolbar-end">
        <ReportControls search={saved} today={today} onChange={change} />
        <Select
          label={t("chart")}
          allowDeselect={false}
          data={options.metrics.map((value) => ({ value, label: t(`metric_${value}`) }))}
          value={options.metric ?? null}
          onChange={(value) => change({ metric: (value ?? undefined) as ReportMetricName | undefined })}
        />
        <SavedViews
          list="reports"
          content={saved}
          onChoose={(content) => void navigate({ search: readReportSearch(content) })}
        />
      </div>
      <div className="page-body">
        <ReportView options={options} search={saved} />
      </div>
      {isEditing ? <TargetsDialog onClose={() => setEditing(false)} /> : null}
      {isMailing ? (
        <Suspense>
          <SchedulesDialog search={saved} query={options.query} onClose={() => setMailing(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Puts the report on the person's own dashboard. */
function PinButton({ search }: { search: ReportSearch }) {
  const t = useMessages(insightMessages)
  const first = useFirstTiles()
  const [tiles = first, keep] = useOwnTiles()
  const pin = () => {
    keep([...tiles, { name: t(`report_${search.report ?? "onTime"}`), search }])
    notifyDone(t("pinned"))
  }
  return <ActionButton variant="default" icon={IconPlus} label={t("pin")} onClick={pin} />
}

function Download({ query }: { query: ReturnType<typeof optionsOf>["query"] }) {
  const t = useMessages(insightMessages)
  const { language } = useLanguage()
  return (
    <Menu>
      <Menu.Target>
        <ActionButton variant="default" icon={IconDownload} label={t("download")} />
      </Menu.Target>
      <Menu.Dropdown>
        {(["pdf", "xlsx", "csv"] as const).map((download) => (
          <Menu.Item
            key={download}
            component="a"
            download
            href={`/api/v3/reports/file?${new URLSearchParams({ ...query, download, language })}`}
          >
            {download.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
