import "./insight.css"
import { TextInput } from "@mantine/core"
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChartBar,
  IconDeviceTv,
  IconPencil,
  IconX,
} from "@tabler/icons-react"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react"
import { localOf } from "../../i18n/day-bounds.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/chosen-hub.ts"
import { ActionButton, IconButton } from "../../ui/actions/ActionButton.tsx"
import { MoveButtons } from "../../ui/actions/MoveButtons.tsx"
import { PageHeader } from "../../ui/layout/PageHeader.tsx"
import { SavedViews } from "../people/saved-views/SavedViews.tsx"
import { useFirstTiles, useOwnTiles } from "./dashboard-tiles.ts"
import { insightMessages } from "./messages.ts"
import { ReportView } from "./ReportView.tsx"
import { readDashboardSearch, type Tile } from "./report-search.ts"
import { optionsOf } from "./reports.queries.ts"

const minute = 60_000

/** Reports as tiles, in the order that somebody chose; on a wall they fill the screen and refresh themselves. */
export function DashboardPage() {
  const t = useMessages(insightMessages)
  const search = useSearch({ from: "/signed-in/reports/dashboard" })
  const navigate = useNavigate({ from: paths.dashboard })
  const [own, keep] = useOwnTiles()
  const wall = useRef<HTMLDivElement>(null)
  const [isEditing, setEditing] = useState(false)
  useFittingZoom(wall)
  const first = useFirstTiles()
  const tiles = search.tiles ?? own ?? first
  const change = (next: Tile[]) => {
    if (!search.tiles) keep(next)
    else void navigate({ search: { tiles: next }, replace: true })
  }
  return (
    <div className="page">
      <PageHeader title={t("dashboard")}>
        <SavedViews
          list="dashboards"
          content={{ tiles }}
          onChoose={(content) => void navigate({ search: readDashboardSearch(content) })}
        />
        <ActionButton
          variant="default"
          icon={IconChartBar}
          component={Link}
          to={paths.reports}
          label={t("title")}
        />
        <ActionButton
          variant="default"
          icon={IconPencil}
          label={t(isEditing ? "doneEditing" : "edit")}
          onClick={() => setEditing(!isEditing)}
        />
        <ActionButton
          icon={IconDeviceTv}
          label={t("wallboard")}
          onClick={() => void wall.current?.requestFullscreen()}
        />
      </PageHeader>
      <div className="page-body wallboard" ref={wall}>
        {tiles.length === 0 ? <p className="quiet">{t("noTiles")}</p> : null}
        <div className="dashboard">
          {tiles.map((tile, index) => (
            // Two tiles may show the same.
            // biome-ignore lint/suspicious/noArrayIndexKey: tiles have no other identity than their place
            <DashboardTile key={index} tile={tile}>
              {isEditing ? (
                <TileEditing tiles={tiles} index={index} onChange={change} />
              ) : (
                <h2>
                  <Link to={paths.reports} search={tile.search}>
                    {tile.name}
                  </Link>
                </h2>
              )}
            </DashboardTile>
          ))}
        </div>
      </div>
    </div>
  )
}

/** To be read from across the room. Below the last one, the wall scrolls. */
const wallZooms = [4, 3, 2.5, 2, 1.7, 1.5, 1.35, 1.2, 1.1, 1, 0.9, 0.8, 0.7, 0.6]

/** On the whole screen, tiles are as large as possible while all of them are visible: nobody scrolls a wall. */
function useFittingZoom(wall: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = wall.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (document.fullscreenElement !== element) return
      for (const zoom of wallZooms) {
        element.style.setProperty("--wall-zoom", String(zoom))
        if (element.scrollHeight <= element.clientHeight) return
      }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [wall])
}

function DashboardTile({ tile, children }: { tile: Tile; children: ReactNode }) {
  const { organization } = useSession()
  const hub = useChosenHub()
  const today = localOf(new Date(), organization.timeZone).slice(0, 10)
  return (
    <section className="dashboard-tile card" data-wide={tile.isWide} aria-label={tile.name}>
      <header>{children}</header>
      <ReportView options={optionsOf(tile.search, { hub, today })} isTile refreshMilliseconds={minute} />
    </section>
  )
}

interface TileEditingProps {
  tiles: readonly Tile[]
  index: number
  onChange(tiles: Tile[]): void
}

/** The name of a tile, its place and width, and a button that removes it. */
function TileEditing({ tiles, index, onChange }: TileEditingProps) {
  const t = useMessages(insightMessages)
  const tile = tiles[index]
  if (!tile) return null
  const move = (to: number) => {
    const others = tiles.toSpliced(index, 1)
    onChange(others.toSpliced(to, 0, tile))
  }
  return (
    <>
      <TextInput
        // Another tile that comes here brings its own name.
        key={tile.name}
        aria-label={t("tileName")}
        defaultValue={tile.name}
        maxLength={60}
        flex={1}
        onBlur={({ currentTarget }) =>
          onChange(tiles.toSpliced(index, 1, { ...tile, name: currentTarget.value || tile.name }))
        }
      />
      <MoveButtons index={index} count={tiles.length} name={tile.name} onMove={move} />
      <IconButton
        variant="subtle"
        icon={tile.isWide ? IconArrowsMinimize : IconArrowsMaximize}
        label={t(tile.isWide ? "narrowTile" : "widenTile", { name: tile.name })}
        onClick={() => onChange(tiles.toSpliced(index, 1, { ...tile, isWide: !tile.isWide }))}
      />
      <IconButton
        variant="subtle"
        icon={IconX}
        label={t("removeTile", { name: tile.name })}
        onClick={() => onChange(tiles.toSpliced(index, 1))}
      />
    </>
  )
}
