import { Alert, Button, Group, Progress } from "@mantine/core"
import { useEffect, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { ShownMap } from "../../../map/streets.ts"
import { useIsReachable } from "../connection.ts"
import { readUsage } from "../kept/storage.ts"
import { mapMessages } from "./map-messages.ts"
import {
  estimateBytes,
  keepTiles,
  mapCacheName,
  readKept,
  removeKept,
  tilesAround,
  versionsOf,
} from "./offline-map.ts"

type State =
  | { step: "idle" }
  | { step: "measuring" }
  | { step: "offered"; addresses: readonly string[]; bytes: number }
  | { step: "keeping"; share: number }
  | { step: "failed"; reason: string }

interface KeepAreaProps {
  maps: readonly ShownMap[]
  places: readonly { lat: number; lng: number }[]
}

/** Keeps the map around the stops on the phone: says how large it is first, and what is kept afterwards. */
export function KeepArea({ maps, places }: KeepAreaProps) {
  const t = useMessages(mapMessages)
  const formats = useFormats()
  const isReachable = useIsReachable()
  const { kept, isOutdated, state, measure, keep, cancel, remove } = useKeptArea(maps, places)
  if (!("caches" in window) || places.length === 0) return null
  if (maps.length === 0) return <p className="field-notice">{t("noMap")}</p>
  return (
    <section className="keep-area" aria-label={t("keep")}>
      {state.step === "failed" ? (
        <Alert color="red" role="alert">
          {state.reason}
        </Alert>
      ) : null}
      {state.step === "keeping" ? (
        <>
          <Progress value={100 * state.share} size={8} aria-label={t("keep")} />
          <p className="quiet">{t("progress", { percent: Math.round(100 * state.share) })}</p>
        </>
      ) : state.step === "offered" ? (
        <>
          <p>{t("size", { size: formats.bytes(state.bytes), count: state.addresses.length })}</p>
          <Group grow align="start">
            <Button size="lg" onClick={() => void keep(state.addresses)}>
              {t("download")}
            </Button>
            <Button size="lg" variant="default" onClick={cancel}>
              {t("cancel")}
            </Button>
          </Group>
        </>
      ) : (
        <>
          {kept ? (
            <p className="quiet">
              {isOutdated ? t("outdated") : t("kept", { size: formats.bytes(kept.bytes) })}
            </p>
          ) : null}
          <Group grow align="start">
            <Button
              size="lg"
              variant={kept ? "default" : "filled"}
              loading={state.step === "measuring"}
              disabled={!isReachable}
              onClick={() => void measure()}
            >
              {kept ? t("again") : t("keep")}
            </Button>
            {kept ? (
              <Button size="lg" variant="subtle" color="red" onClick={remove}>
                {t("remove")}
              </Button>
            ) : null}
          </Group>
        </>
      )}
    </section>
  )
}

/** What is kept of the map, and the steps of keeping it. */
function useKeptArea(maps: readonly ShownMap[], places: KeepAreaProps["places"]) {
  const t = useMessages(mapMessages)
  const [kept, setKept] = useState(readKept)
  const [state, setState] = useState<State>({ step: "idle" })
  const versions = versionsOf(maps)
  const isOutdated = kept !== undefined && kept.versions !== versions
  useEffect(() => {
    // Tiles of the map before would be drawn in the style of the new one.
    if (isOutdated) void caches.delete(mapCacheName)
  }, [isOutdated])
  const measure = async () => {
    setState({ step: "measuring" })
    try {
      const addresses = tilesAround(maps, places)
      const bytes = await estimateBytes(addresses)
      const usage = await readUsage()
      const isTooLarge = usage !== undefined && usage.quota > 0 && bytes > (usage.quota - usage.used) / 2
      setState(isTooLarge ? { step: "failed", reason: t("noRoom") } : { step: "offered", addresses, bytes })
    } catch (error) {
      setState({ step: "failed", reason: t("failed", { reason: String(error) }) })
    }
  }
  const keep = async (addresses: readonly string[]) => {
    setState({ step: "keeping", share: 0 })
    try {
      setKept(await keepTiles(addresses, versions, (share) => setState({ step: "keeping", share })))
      setState({ step: "idle" })
    } catch (error) {
      setKept(undefined)
      setState({ step: "failed", reason: t("failed", { reason: String(error) }) })
    }
  }
  const remove = () => void removeKept().then(() => setKept(undefined))
  return { kept, isOutdated, state, measure, keep, cancel: () => setState({ step: "idle" }), remove }
}
