import { SegmentedControl } from "@mantine/core"
import { Fragment, type ReactNode, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { DeskLayout } from "./layout.ts"
import { dispatchMessages } from "./messages.ts"
import { Splitter } from "./Splitter.tsx"

type PanelName = "list" | "map" | "people"
type PanelContents = Readonly<Record<PanelName, ReactNode>>

interface PanelsProps {
  panels: PanelContents
  layout: DeskLayout
  onChange(part: Partial<DeskLayout>, isLasting?: boolean): void
}

/** The panels side by side and over each other, as the person has arranged them. */
export function Panels({ panels, layout, onChange }: PanelsProps) {
  const { list, map, people } = panels
  const shownList = layout.hasList ? list : undefined
  const shownMap = layout.hasMap ? map : undefined
  const beside = (first: ReactNode, second: ReactNode) => (
    <Split orientation="vertical" share="listShare" {...{ first, second, layout, onChange }} />
  )
  const over = (first: ReactNode, second: ReactNode) => (
    <Split orientation="horizontal" share="mapShare" {...{ first, second, layout, onChange }} />
  )
  return (
    <div className="desk-panels">
      {layout.arrangement === "side"
        ? beside(shownList, over(shownMap, people))
        : over(shownList || shownMap ? beside(shownList, shownMap) : undefined, people)}
    </div>
  )
}

interface SplitProps extends Omit<PanelsProps, "panels"> {
  orientation: "vertical" | "horizontal"
  share: "listShare" | "mapShare"
  /** One that is not there leaves its room to the other. */
  first: ReactNode
  second: ReactNode
}

function Split({ orientation, share, first, second, layout, onChange }: SplitProps) {
  if (!first || !second) return <div className="desk-panel">{first ?? second}</div>
  // Names of tasks and their tabs need some width, whatever the screen.
  const least = share === "listShare" ? "min(250px, 50%)" : "0"
  const tracks = `minmax(${least}, ${layout[share]}fr) 7px minmax(0, ${100 - layout[share]}fr)`
  return (
    <div
      className="desk-split"
      style={orientation === "vertical" ? { gridTemplateColumns: tracks } : { gridTemplateRows: tracks }}
    >
      <Fragment key="first">
        <div className="desk-panel">{first}</div>
      </Fragment>
      <Splitter
        orientation={orientation}
        value={layout[share]}
        onChange={(value) => onChange({ [share]: value }, false)}
        onDone={(value) => onChange({ [share]: value })}
      />
      <div className="desk-panel">{second}</div>
    </div>
  )
}

/** On a phone one panel at a time. */
export function NarrowPanels({ panels }: { panels: PanelContents }) {
  const t = useMessages(dispatchMessages)
  const [shown, setShown] = useState<PanelName>("list")
  return (
    <div className="desk-panels desk-narrow">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("arrangement")}
        value={shown}
        onChange={(value) => setShown(value as PanelName)}
        data={[
          { value: "list", label: t("list") },
          { value: "map", label: t("panelMap") },
          { value: "people", label: t("timeline") },
        ]}
      />
      <div className="desk-panel">{panels[shown]}</div>
    </div>
  )
}
