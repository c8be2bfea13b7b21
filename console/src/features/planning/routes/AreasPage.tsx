import "./routes.css"
import { Button, Checkbox, Stack } from "@mantine/core"
import { IconLasso, IconPolygon } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { NameAndColor } from "../../../ui/forms/NameAndColor.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { PlanningPage, useHubOfPage } from "./PlanningPage.tsx"
import { profileMessages } from "./profiles/profile-messages.ts"
import { type Area, type AreaDraft, areasQuery, deleteArea, saveArea } from "./profiles/profiles.queries.ts"

export const loader: PageLoader = async ({ client, search }) => {
  const hubs = await client.ensureQueryData(hubsQuery)
  const hubId = typeof search.hub === "string" ? search.hub : hubs[0]?._id
  if (hubId) await client.prefetchQuery(areasQuery(hubId))
}

const AreaMap = lazy(() => import("./AreaMap.tsx"))

const firstColor = "#c7791a"

export function AreasPage() {
  const t = useMessages(profileMessages)
  const { may } = useSession()
  const page = useHubOfPage()
  const { hubId } = page
  const { data: areas = [], error } = useQuery({ ...areasQuery(hubId ?? ""), enabled: hubId !== undefined })
  const [opened, setOpened] = useState<Area | "new">()
  const [draft, setDraft] = useState<AreaDraft>({ name: "", color: firstColor, isActive: true })
  const [isDrawing, setDrawing] = useState(false)
  const open = (area: Area | "new") => {
    setOpened(area)
    setDrawing(area === "new")
    setDraft(
      area === "new"
        ? { name: "", color: firstColor, isActive: true }
        : { name: area.name, color: area.color ?? firstColor, isActive: area.isActive },
    )
  }
  const close = () => {
    setOpened(undefined)
    setDrawing(false)
  }
  const mayEdit = may("edit/configuration")
  return (
    <PlanningPage
      title={t("areas")}
      hint={isDrawing ? t("drawHint") : t("areasText")}
      page={page}
      onHub={close}
      action={
        mayEdit && hubId ? (
          <ActionButton icon={IconLasso} label={t("drawArea")} onClick={() => open("new")} />
        ) : null
      }
    >
      <div className="page-split areas-split">
        <div className="page-scroll">
          <FormError error={error} />
          {opened && hubId ? (
            <AreaForm
              hubId={hubId}
              area={opened === "new" ? undefined : opened}
              draft={draft}
              isDrawing={isDrawing}
              onChange={(part) => setDraft((current) => ({ ...current, ...part }))}
              onRedraw={() => setDrawing(true)}
              onClose={close}
            />
          ) : areas.length === 0 ? (
            <EmptyState
              icon={IconPolygon}
              title={t("noAreas")}
              text={hubId ? t("noAreasText") : t("needsHub")}
            />
          ) : (
            <ul className="area-list">
              {areas.map((area) => (
                <li key={area._id}>
                  <i style={{ background: area.color ?? firstColor }} aria-hidden />
                  <button
                    type="button"
                    className="row-link link-button"
                    disabled={!mayEdit}
                    onClick={() => open(area)}
                  >
                    {area.name}
                  </button>
                  {area.isActive ? null : <span className="quiet">{t("areaOff")}</span>}
                </li>
              ))}
            </ul>
          )}
        </div>
        <Suspense fallback={<div className="map" />}>
          {hubId ? (
            <AreaMap
              key={hubId}
              hubId={hubId}
              areas={areas.filter(
                ({ _id }) => opened === undefined || opened === "new" || opened._id !== _id || !draft.ring,
              )}
              ring={opened ? draft.ring : undefined}
              color={draft.color}
              isDrawing={isDrawing}
              onDrawn={(ring) => {
                setDrawing(false)
                setDraft((current) => ({ ...current, ring }))
              }}
            />
          ) : null}
        </Suspense>
      </div>
    </PlanningPage>
  )
}

interface AreaFormProps {
  hubId: string
  area: Area | undefined
  draft: AreaDraft
  isDrawing: boolean
  onChange(part: Partial<AreaDraft>): void
  onRedraw(): void
  onClose(): void
}

function AreaForm({ hubId, area, draft, isDrawing, onChange, onRedraw, onClose }: AreaFormProps) {
  const t = useMessages(profileMessages)
  const client = useQueryClient()
  const after = async (text: string) => {
    notifyDone(text)
    await client.invalidateQueries({ queryKey: ["routing-settings"] })
    onClose()
  }
  const save = useAction(() => saveArea(hubId, area?._id, { ...draft, name: draft.name.trim() }), {
    onDone: () => after(t("saved", { name: draft.name.trim() })),
  })
  const remove = useAction(() => deleteArea(area?._id ?? ""), {
    onDone: () => after(t("removed", { name: area?.name ?? "" })),
  })
  return (
    <div style={{ padding: 16 }}>
      <WithHistory of={area && { objectType: "geotag", objectId: area._id }}>
        <Form onSubmit={() => save.mutate()}>
          <Stack gap="sm">
            <NameAndColor
              labels={{ name: t("areaName"), color: t("areaColor") }}
              maxLength={255}
              value={draft}
              onChange={onChange}
            />
            <Checkbox
              label={t("areaActive")}
              {...bindChecked(draft.isActive, (isActive) => onChange({ isActive }))}
            />
            <ActionButton
              icon={IconLasso}
              label={t(area || draft.ring ? "redraw" : "drawArea")}
              variant="light"
              size="xs"
              disabled={isDrawing}
              style={{ alignSelf: "flex-start" }}
              onClick={onRedraw}
            />
            <FormFoot
              request={{ error: save.error ?? remove.error, isPending: save.isPending }}
              isDisabled={!area && !draft.ring}
              onCancel={onClose}
              aside={
                area ? (
                  <Button
                    variant="subtle"
                    color="red"
                    loading={remove.isPending}
                    onClick={() => remove.mutate()}
                  >
                    {t("delete")}
                  </Button>
                ) : null
              }
            />
          </Stack>
        </Form>
      </WithHistory>
    </div>
  )
}
