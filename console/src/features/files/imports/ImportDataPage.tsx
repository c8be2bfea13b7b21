import { Select } from "@mantine/core"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { dataTypesQuery } from "../../work/data-types/data-types.queries.ts"
import { ImportSteps } from "./ImportSteps.tsx"
import type { ImportMode, ImportTarget } from "./imports.queries.ts"
import { keptUpload } from "./kept-upload.ts"
import { importMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(hubsQuery), client.prefetchQuery(dataTypesQuery)])

/** From a spreadsheet to the records of a data type, to vehicles or to people. */
export function ImportDataPage() {
  const t = useMessages(importMessages)
  const chosenHub = useChosenHub()
  const { type: wantedType, check } = useSearch({ from: "/signed-in/imports/data" })
  const { data: allTypes = [] } = useQuery(dataTypesQuery)
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const upload = keptUpload(check)?.target
  const checked = upload?.type === "task" ? undefined : upload
  const [hubChoice, setHubChoice] = useState<string | null>(checked?.hubId ?? null)
  const [typeChoice, setTypeChoice] = useState<string | undefined>(
    checked?.type === "datasource" ? checked.dataTypeId : (checked?.type ?? wantedType),
  )
  const [mode, setMode] = useState<ImportMode>(checked?.mode ?? "create")
  const modes = { create: t("modeCreate"), upsert: t("modeUpsert"), update: t("modeUpdate") }
  const types = allTypes.filter((type) => type.provider === "internal")
  const { may } = useSession()
  const others = [
    ...(may("add/vehicle") ? (["vehicle"] as const) : []),
    ...(may("invite") ? (["user"] as const) : []),
  ]
  const other = others.find((kind) => kind === typeChoice)
  const type = other ? undefined : (types.find((candidate) => candidate._id === typeChoice) ?? types[0])
  const anyHub = hubChoice ?? chosenHub ?? hubs[0]?._id
  const hubId = type?.commonData ? undefined : anyHub
  const targetOf = (part: {
    typeId?: string
    hub?: string | undefined
    how?: ImportMode
  }): ImportTarget | undefined => {
    const next = part.typeId ? types.find(({ _id }) => _id === part.typeId) : type
    const kind = others.find((known) => known === (part.typeId ?? other))
    const hub = next?.commonData ? undefined : (part.hub ?? anyHub)
    if (kind) return hub ? { type: kind, hubId: hub, mode: part.how ?? mode } : undefined
    if (!next || !(next.commonData || hub)) return undefined
    return { type: "datasource", dataTypeId: next._id, hubId: hub, mode: part.how ?? mode }
  }
  return (
    <ImportSteps
      title={t("dataTitle")}
      target={targetOf({})}
      template={other ? { type: other } : type ? { type: "datasource", dataTypeId: type._id } : undefined}
      choices={(retarget) => (
        <>
          <Select
            label={t("becomes")}
            data={[
              ...types.map(({ _id, name }) => ({ value: _id, label: name })),
              ...others.map((kind) => ({ value: kind, label: t(`list-${kind}s`) })),
            ]}
            value={other ?? type?._id ?? null}
            error={types.length + others.length === 0 ? t("needsType") : undefined}
            searchable={types.length > 8}
            onChange={(value) => {
              setTypeChoice(value ?? undefined)
              if (value) retarget(targetOf({ typeId: value }))
            }}
            w={230}
          />
          {type?.commonData ? null : (
            <Select
              label={t("hub")}
              description={t("recordsHub")}
              data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
              value={hubId ?? null}
              searchable={hubs.length > 8}
              onChange={(value) => {
                setHubChoice(value)
                if (value) retarget(targetOf({ hub: value }))
              }}
              w={230}
            />
          )}
          <Select
            label={t("mode")}
            data={(["create", "upsert", "update"] as const).map((value) => ({ value, label: modes[value] }))}
            value={mode}
            onChange={(value) => {
              if (value === null) return
              setMode(value as ImportMode)
              retarget(targetOf({ how: value as ImportMode }))
            }}
            w={270}
          />
        </>
      )}
    />
  )
}
