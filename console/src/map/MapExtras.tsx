import { Menu } from "@mantine/core"
import { IconCheck, IconStack2 } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { useMessages } from "../i18n/language.tsx"
import { defineMessages } from "../i18n/messages.ts"
import type { MapLibreMap } from "./map-library.ts"
import { hasStreets, type Settings, showExtraLayer } from "./streets.ts"

const messages = defineMessages({
  en: {
    noStreets: "No street map of this area. Add one under Settings › Maps.",
    layers: "Map layers",
    streets: "Streets",
  },
  id: {
    noStreets: "Belum ada peta jalan untuk wilayah ini. Tambahkan di Pengaturan › Peta.",
    layers: "Lapisan peta",
    streets: "Jalan",
  },
})

/** Closer than this, the outlines of the world no longer help. */
const hintZoom = 8

/** The hint where no street map is, and the switcher of the operator's further layers. */
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
    const look = () => setWithoutStreets(map.getZoom() >= hintZoom && !hasStreets(map, settings.maps))
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
  return (
    <>
      {hasHint && isWithoutStreets && chosen === undefined ? (
        <p className="map-hint quiet">{t("noStreets")}</p>
      ) : null}
      {settings.mapLayers.length > 0 ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className="map-layers" aria-label={t("layers")} title={t("layers")}>
              <IconStack2 size={18} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {[undefined, ...settings.mapLayers.map(({ title }) => title)].map((title) => (
              <Menu.Item
                key={title ?? ""}
                onClick={() => setChosen(title)}
                leftSection={<IconCheck size={14} visibility={title === chosen ? "visible" : "hidden"} />}
              >
                {title ?? t("streets")}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </>
  )
}
