import { useMessages } from "../../i18n/language.tsx"
import { usePreference } from "../people/users/preferences.queries.ts"
import { insightMessages } from "./messages.ts"
import { readDashboardSearch, type Tile } from "./report-search.ts"

/** What a dashboard shows before somebody chooses. */
export function useFirstTiles(): Tile[] {
  const t = useMessages(insightMessages)
  return [
    { name: t("report_onTime"), search: { report: "onTime", metric: "onTimeRate", period: "thisMonth" } },
    { name: t("report_plan"), search: { report: "plan", metric: "finished", period: "thisWeek" } },
    { name: t("report_failures"), search: { report: "failures", period: "thisMonth" } },
    { name: t("report_productivity"), search: { report: "productivity", period: "thisWeek" } },
  ]
}

/** The tiles of the person's own dashboard, undefined before they chose any, and what keeps others. */
export function useOwnTiles(): readonly [tiles: Tile[] | undefined, keep: (tiles: Tile[]) => void] {
  const [kept, keep] = usePreference<{ tiles: Tile[] }>("insight-dashboard")
  return [kept && readDashboardSearch({ ...kept }).tiles, (tiles) => keep({ tiles })]
}
