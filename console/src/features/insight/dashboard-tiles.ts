import { usePreference } from "../people/users/preferences.queries.ts"
import { readDashboardSearch, type Tile } from "./report-search.ts"

/** The tiles of the person's own dashboard, undefined before they chose any, and what keeps others. */
export function useOwnTiles(): readonly [tiles: Tile[] | undefined, keep: (tiles: Tile[]) => void] {
  const [kept, keep] = usePreference<{ tiles: Tile[] }>("insight-dashboard")
  return [kept && readDashboardSearch({ ...kept }).tiles, (tiles) => keep({ tiles })]
}
