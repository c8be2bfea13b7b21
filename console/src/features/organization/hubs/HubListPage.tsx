import { IconBuildingWarehouse, IconPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ActionMenu } from "../../../ui/actions/ActionMenu.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { HubForm } from "./HubForm.tsx"
import { deleteHub, type Hub, hubsQuery } from "./hubs.queries.ts"
import { hubMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(hubsQuery)

const HubMap = lazy(() => import("./HubMap.tsx"))

export interface Place {
  lat: number
  lng: number
}

/** What is being written: a new hub at a clicked place, or changes of an existing one. */
type Draft = { hub: Hub | undefined; place: Place | undefined }

export function HubListPage() {
  const t = useMessages(hubMessages)
  const session = useSession()
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const [draft, setDraft] = useState<Draft>()
  const mayAdd = session.may("add/hub")
  const pick = (place: Place) => {
    if (draft) setDraft({ ...draft, place })
    else if (mayAdd) setDraft({ hub: undefined, place })
  }
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: hubs.length })}>
        {mayAdd ? (
          <ActionButton
            icon={IconPlus}
            label={t("add")}
            onClick={() => setDraft({ hub: undefined, place: undefined })}
          />
        ) : null}
      </PageHeader>
      <div className="page-split">
        <div className="page-scroll">
          {draft ? (
            <HubForm
              key={draft.hub?._id ?? "new"}
              hub={draft.hub}
              place={draft.place}
              onPlace={(place) => setDraft({ ...draft, place })}
              onClose={() => setDraft(undefined)}
            />
          ) : hubs.length === 0 ? (
            <EmptyState icon={IconBuildingWarehouse} title={t("emptyTitle")} text={t("emptyText")} />
          ) : (
            <HubTable
              hubs={hubs}
              onEdit={(hub) => setDraft({ hub, place: { lat: hub.lat, lng: hub.lng } })}
            />
          )}
        </div>
        <Suspense fallback={<div className="map" aria-busy="true" />}>
          <HubMap
            hubs={hubs}
            draft={draft?.place}
            isPicking={draft !== undefined || (mayAdd && hubs.length === 0)}
            onPick={pick}
          />
        </Suspense>
      </div>
    </div>
  )
}

function HubTable({ hubs, onEdit }: { hubs: readonly Hub[]; onEdit(hub: Hub): void }) {
  const t = useMessages(hubMessages)
  const { may } = useSession()
  const [removing, setRemoving] = useState<Hub>()
  const remove = useAction((hub: Hub) => deleteHub(hub._id), {
    refreshes: [hubsQuery.queryKey],
    done: (_answer, hub) => t("removed", { name: hub.name }),
    failed: (hub) => hub.name,
  })
  return (
    <>
      <DataTable
        rows={hubs}
        keyOf={({ _id }) => _id}
        columns={[
          { title: t("name"), kind: "name", cell: (hub) => hub.name },
          { title: t("address"), kind: "quiet", cell: (hub) => hub.address },
          {
            title: t("actions"),
            kind: "actions",
            cell: (hub) => (
              <ActionMenu
                label={`${t("actions")}: ${hub.name}`}
                actions={[
                  { label: t("edit"), isDisabled: !may("edit/hub"), onClick: () => onEdit(hub) },
                  {
                    label: t("delete"),
                    isDangerous: true,
                    isDisabled: !may("delete/hub"),
                    onClick: () => setRemoving(hub),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && remove.mutate(removing)}
      />
    </>
  )
}
