import "./maps.css"
import { IconMap } from "@tabler/icons-react"
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { useNow } from "../../../ui/now.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { MapBuilds } from "./MapBuilds.tsx"
import { MapUpload } from "./MapUpload.tsx"
import { type MapRegion, mapsQuery, removeMap, speedsQuery } from "./maps.queries.ts"
import { mapMessages } from "./messages.ts"
import { SpeedsPanel } from "./SpeedsPanel.tsx"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(mapsQuery), client.ensureQueryData(speedsQuery)])

/** The installation's street maps: everyone sees them, its operator changes them. */
export function MapsPage() {
  const t = useMessages(mapMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const { data: maps } = useSuspenseQuery(mapsQuery)
  const refresh = () => client.invalidateQueries({ queryKey: mapsQuery.queryKey })
  const versions = maps.regions.map(({ version }) => version).join(" ")
  // Maps on other pages learn of a new version with the settings.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the settings again when a version changes
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["console-settings"] })
  }, [versions])
  const canManage = maps.canManage && may("edit/organization")
  return (
    <>
      <p className="quiet section-note">{canManage ? t("text") : t("onlyOperator")}</p>
      {canManage ? <MapUpload onUploaded={refresh} /> : null}
      {maps.regions.length === 0 ? (
        <EmptyState icon={IconMap} title={t("emptyTitle")} text={t("emptyText")} />
      ) : (
        <MapTable regions={maps.regions} canManage={canManage} onChanged={refresh} />
      )}
      {canManage ? <MapBuilds builds={maps.builds} onChanged={refresh} /> : null}
      <SpeedsPanel />
    </>
  )
}

interface MapTableProps {
  regions: readonly MapRegion[]
  canManage: boolean
  onChanged(): Promise<unknown>
}

function MapTable({ regions, canManage, onChanged }: MapTableProps) {
  const t = useMessages(mapMessages)
  const formats = useFormats()
  const now = useNow(10_000)
  const [removing, setRemoving] = useState<string>()
  const remove = useAction((name: string) => removeMap(name), {
    done: (_result, name) => t("removed", { name }),
    onDone: () => onChanged(),
  })
  return (
    <>
      <FormError error={remove.error} />
      <DataTable
        rows={regions}
        keyOf={({ name }) => name}
        columns={[
          {
            title: t("name"),
            cell: (region) => (
              <>
                <strong>{region.name}</strong>
                <div className="quiet breakable">{region.source}</div>
              </>
            ),
          },
          { title: t("size"), cell: (region) => formats.bytes(region.bytes) },
          { title: t("area"), from: "sm", kind: "quiet", cell: (region) => t("kilometers", spanOf(region)) },
          {
            title: t("data"),
            from: "md",
            kind: "quiet",
            cell: (region) => formats.date(region.dataTime) || "–",
          },
          {
            title: t("built"),
            from: "sm",
            kind: "quiet",
            cell: (region) => formats.ago(region.builtTime, now),
          },
          {
            title: t("remove"),
            kind: "actions",
            cell: (region) =>
              canManage ? (
                <RowButton label={t("remove")} of={region.name} onClick={() => setRemoving(region.name)} />
              ) : null,
          },
        ]}
      />
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (removing) remove.mutate(removing)
        }}
      />
    </>
  )
}

const degreeKilometers = 111.2

/** Width and height of a map in kilometres. */
function spanOf({ bounds: [west = 0, south = 0, east = 0, north = 0] }: MapRegion) {
  const share = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const width = (west <= east ? east - west : east - west + 360) * degreeKilometers * share
  return {
    width: String(Math.max(1, Math.round(width))),
    height: String(Math.max(1, Math.round((north - south) * degreeKilometers))),
  }
}
