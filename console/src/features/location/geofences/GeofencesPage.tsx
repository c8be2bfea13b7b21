import "./geofences.css"
import { Button, Group, Menu, UnstyledButton } from "@mantine/core"
import { IconArrowLeft, IconDownload, IconPlus, IconPolygon, IconUpload } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useDeferredValue, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { dayMessages } from "../tracking/day-messages.ts"
import { GeofenceForm } from "./GeofenceForm.tsx"
import { GeofenceImport } from "./GeofenceImport.tsx"
import { geofenceMessages } from "./geofence-messages.ts"
import {
  draftOf,
  type Geofence,
  type GeofenceDraft,
  geofencesQuery,
  maxShown,
  newDraft,
  takeFromMap,
} from "./geofences.queries.ts"

const GeofenceMap = lazy(() => import("./GeofenceMap.tsx"))

export const loader: PageLoader = ({ client }) => client.ensureQueryData(geofencesQuery(""))

/** Geofences on the map, with their list; the one that is open can be changed on both. */
export function GeofencesPage() {
  const t = useMessages(geofenceMessages)
  const formats = useMessages(dayMessages)
  const { may } = useSession()
  const hub = useChosenHub()
  const [words, setWords] = useState("")
  const { data, error } = useQuery({
    ...geofencesQuery(useDeferredValue(words)),
    placeholderData: keepPreviousData,
  })
  const [draft, setDraft] = useState<GeofenceDraft>()
  const [isTaking, setTaking] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const changeDraft = (part: Partial<GeofenceDraft>) =>
    setDraft((current) => current && { ...current, ...part })
  const close = () => {
    setTaking(false)
    setDraft(undefined)
  }
  const take = useAction(takeFromMap, {
    onDone: ({ name, shape }) => {
      setTaking(false)
      changeDraft({ ...shape, ...(draft?.name.trim() || name === null ? {} : { name }) })
    },
  })
  const geofences = (data?.geofences ?? []).filter(
    ({ hubId }) => hub === undefined || hubId === null || hubId === hub,
  )
  const mayEdit = may("edit/hub")
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: data?.total ?? 0 })}>
        <ActionButton
          icon={IconArrowLeft}
          label={t("tracking")}
          component={Link}
          to={paths.tracking}
          variant="subtle"
          className="from-sm-inline"
        />
        <Menu>
          <Menu.Target>
            <ActionButton icon={IconDownload} label={t("export")} variant="default" />
          </Menu.Target>
          <Menu.Dropdown>
            {(["geojson", "kml"] as const).map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={`/api/v3/geofences/${format}`}
                download={`geofences.${format}`}
              >
                {formats(format)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {mayEdit ? (
          <>
            <ActionButton
              icon={IconUpload}
              label={t("import")}
              variant="default"
              onClick={() => setImporting(true)}
            />
            <ActionButton icon={IconPlus} label={t("new")} onClick={() => setDraft(newDraft(hub))} />
          </>
        ) : null}
      </PageHeader>
      <div className="page-split geofence-split">
        <div className="page-scroll">
          <FormError error={error} />
          {draft ? (
            <GeofenceForm
              key={draft.id ?? "new"}
              draft={draft}
              groups={groupsOf(geofences)}
              taking={{ isOn: isTaking, isPart: take.data?.isPart ?? false, error: take.error }}
              onTaking={setTaking}
              onChange={changeDraft}
              onClose={close}
            />
          ) : data?.total === 0 && words.trim() === "" ? (
            <EmptyState icon={IconPolygon} title={t("emptyTitle")} text={t("emptyText")}>
              {mayEdit ? (
                <Group justify="center">
                  <Button onClick={() => setDraft(newDraft(hub))}>{t("new")}</Button>
                </Group>
              ) : null}
            </EmptyState>
          ) : (
            <GeofenceList
              geofences={geofences}
              words={words}
              isPart={(data?.total ?? 0) > maxShown}
              onWords={setWords}
              onOpen={mayEdit ? (fence) => setDraft(draftOf(fence)) : undefined}
            />
          )}
        </div>
        <Suspense fallback={<div className="map" aria-busy="true" />}>
          <GeofenceMap
            geofences={geofences}
            draft={draft}
            onPoints={(points) => changeDraft({ points })}
            onTake={isTaking ? (place) => take.mutate(place) : undefined}
            onOpen={mayEdit ? (fence) => setDraft(draftOf(fence)) : undefined}
          />
        </Suspense>
      </div>
      {isImporting ? <GeofenceImport hub={hub} onClose={() => setImporting(false)} /> : null}
    </div>
  )
}

const groupsOf = (geofences: readonly Geofence[]) => [
  ...new Set(geofences.flatMap(({ group }) => (group === null ? [] : [group]))),
]

interface GeofenceListProps {
  geofences: readonly Geofence[]
  words: string
  isPart: boolean
  onWords(words: string): void
  onOpen: ((fence: Geofence) => void) | undefined
}

function GeofenceList({ geofences, words, isPart, onWords, onOpen }: GeofenceListProps) {
  const t = useMessages(geofenceMessages)
  const groups = Map.groupBy(geofences, ({ group }) => group)
  return (
    <div className="geofence-list">
      <SearchInput label={t("search")} value={words} onChange={onWords} />
      {isPart ? <p className="quiet">{t("partShown", { count: maxShown })}</p> : null}
      {geofences.length === 0 ? <p className="quiet">{t("nothingFound")}</p> : null}
      {[...groups].map(([group, own]) => (
        <section key={group ?? ""} aria-label={group ?? t("noGroup")}>
          {groups.size > 1 || group !== null ? (
            <h2 className="panel-heading">{group ?? t("noGroup")}</h2>
          ) : null}
          <ul>
            {own.map((fence) => (
              <li key={fence._id}>
                <i style={{ background: fence.color }} aria-hidden />
                {onOpen ? (
                  <UnstyledButton className="row-link" onClick={() => onOpen(fence)}>
                    {fence.name}
                  </UnstyledButton>
                ) : (
                  <span>{fence.name}</span>
                )}
                <span className="quiet">{t(fence.type as "polygon")}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
