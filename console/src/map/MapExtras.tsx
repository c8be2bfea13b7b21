import { Menu } from "@mantine/core"
import { IconCheck, IconMap2, IconStack2 } from "@tabler/icons-react"
import { type ReactNode, useEffect, useState } from "react"
import { useMessages } from "../i18n/language.tsx"
import { defineMessages } from "../i18n/messages.ts"
import type { MapLibreMap } from "./map-library.ts"
import { hasStreets, type Settings, showExtraLayer, showRegions } from "./streets.ts"

const messages = defineMessages("console.mapExtras", {
  noStreets: "No street map of this area. Add one under Settings › Maps.",
  noMaps: "No street map is installed yet. Add one under Settings › Maps.",
  layers: "Map layers",
  streets: "Streets",
  regions: "Go to a street map",
})

/** Closer than this, the map of the world no longer helps. */
const hintZoom = 8

/** The hint where no street map is, and menus of regions and of the operator's further layers. */
export function MapExtras({
  map,
  settings,
  hasHint,
}: {
  map: MapLibreMap
  settings: Settings
  hasHint: boolean
}) {
  const t = useMessages(messages)
  const [isWithoutStreets, setWithoutStreets] = useState(false)
  const [chosen, setChosen] = useState<string>()
  useEffect(() => {
    const look = () =>
      setWithoutStreets(
        settings.maps.length === 0 || (map.getZoom() >= hintZoom && !hasStreets(map, settings.maps)),
      )
    look()
    map.on("moveend", look)
    return () => {
      map.off("moveend", look)
    }
  }, [map, settings])
  useEffect(() => {
    showExtraLayer(
      map,
      settings.mapLayers.find(({ title }) => title === chosen),
    )
    return () => showExtraLayer(map, undefined)
  }, [map, settings, chosen])
  const layers = [undefined, ...settings.mapLayers.map(({ title }) => title)]
  return (
    <>
      {hasHint && isWithoutStreets && chosen === undefined ? (
        <p className="map-hint quiet">{t(settings.maps.length === 0 ? "noMaps" : "noStreets")}</p>
      ) : null}
      <div className="map-menus">
        {settings.maps.length > 1 ? (
          <MapMenu label={t("regions")} icon={<IconMap2 size={18} />}>
            {settings.maps.map((region) => (
              <Menu.Item key={region.name} onClick={() => showRegions(map, [region])}>
                {region.name}
              </Menu.Item>
            ))}
          </MapMenu>
        ) : null}
        {settings.mapLayers.length > 0 ? (
          <MapMenu label={t("layers")} icon={<IconStack2 size={18} />}>
            {layers.map((title) => (
              <Menu.Item
                key={title ?? ""}
                onClick={() => setChosen(title)}
                leftSection={<IconCheck size={14} visibility={title === chosen ? "visible" : "hidden"} />}
              >
                {title ?? t("streets")}
              </Menu.Item>
            ))}
          </MapMenu>
        ) : null}
      </div>
    </>
  )
}

function MapMenu({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className="map-menu" aria-label={label} title={label}>
          {icon}
        </button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
