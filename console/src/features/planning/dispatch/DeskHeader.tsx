import { Menu } from "@mantine/core"
import {
  IconCheck,
  IconChevronLeft,
  IconChevronRight,
  IconHistory,
  IconLayoutDashboard,
  IconWindowMaximize,
} from "@tabler/icons-react"
import { useEffect, useMemo, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { addDays } from "../../work/tasks/calendar-days.ts"
import { lateBy } from "./desk-rows.ts"
import type { DeskLayout } from "./layout.ts"
import { dispatchMessages } from "./messages.ts"
import type { Desk } from "./use-dispatch-day.ts"

interface DeskHeaderProps {
  desk: Desk
  layout: DeskLayout
  onLayout(part: Partial<DeskLayout>, isLasting?: boolean): void
  /** Undefined: today. */
  onDate(date: string | undefined): void
  /** The time machine instead of the present. */
  isPast: boolean
  onPast(isPast: boolean): void
}

export function DeskHeader({ desk, layout, onLayout, onDate, isPast, onPast }: DeskHeaderProps) {
  const t = useMessages(dispatchMessages)
  const formats = useFormats()
  const hub = useChosenHub()
  const [mapWindow, setMapWindow] = useState<Window>()
  const { day, rowOf, now } = desk
  const counts = useMemo(
    () => ({
      unassigned: day.tasks.filter(({ status }) => status === "UNASSIGNED").length,
      late: day.tasks.filter((task) => lateBy(task, rowOf.get(task.assignee[0] ?? ""), now) > 0).length,
    }),
    [day, rowOf, now],
  )
  const openWindow = () => {
    const search = new URLSearchParams({ ...(hub ? { hub } : {}), date: day.date })
    const opened = window.open(
      `${paths.dispatchMap}?${search}`,
      "fieldway-dispatch-map",
      "popup,width=1200,height=800",
    )
    if (!opened) return
    setMapWindow(opened)
    onLayout({ hasMap: false }, false)
  }
  // The map comes back when its window is closed.
  useEffect(() => {
    if (!mapWindow) return
    const timer = setInterval(() => {
      if (!mapWindow.closed) return
      setMapWindow(undefined)
      onLayout({ hasMap: true })
    }, 1_000)
    return () => clearInterval(timer)
  }, [mapWindow, onLayout])
  const mark = (isOn: boolean) => (isOn ? <IconCheck size={15} aria-hidden /> : null)
  return (
    <PageHeader title={t("title")} detail={isPast ? undefined : t("summary", counts)}>
      <div className="desk-date">
        <IconButton
          icon={IconChevronLeft}
          label={t("previousDay")}
          onClick={() => onDate(addDays(day.date, -1))}
        />
        <button
          type="button"
          className="desk-today"
          title={t("today")}
          onClick={() => onDate(undefined)}
          aria-current={now === undefined ? undefined : "date"}
        >
          {now === undefined ? formats.day(day.date) : `${t("today")}, ${formats.day(day.date)}`}
        </button>
        <IconButton
          icon={IconChevronRight}
          label={t("nextDay")}
          onClick={() => onDate(addDays(day.date, 1))}
        />
      </div>
      <ActionButton
        icon={IconHistory}
        label={t("timeMachine")}
        variant={isPast ? "filled" : "default"}
        aria-pressed={isPast}
        onClick={() => onPast(!isPast)}
      />
      <ActionButton
        icon={IconWindowMaximize}
        label={t("mapWindow")}
        variant="default"
        className="from-sm-inline"
        onClick={openWindow}
      />
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionButton
            icon={IconLayoutDashboard}
            label={t("arrangement")}
            variant="default"
            className="from-sm-inline"
          />
        </Menu.Target>
        <Menu.Dropdown>
          {(["side", "top"] as const).map((arrangement) => (
            <Menu.Item
              key={arrangement}
              rightSection={mark(layout.arrangement === arrangement)}
              onClick={() => onLayout({ arrangement })}
            >
              {t(arrangement === "side" ? "arrangeSide" : "arrangeTop")}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            rightSection={mark(layout.hasList)}
            onClick={() => onLayout({ hasList: !layout.hasList })}
          >
            {t("showList")}
          </Menu.Item>
          <Menu.Item rightSection={mark(layout.hasMap)} onClick={() => onLayout({ hasMap: !layout.hasMap })}>
            {t("showMap")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </PageHeader>
  )
}
