import "../routes.css"
import { Button, TextInput } from "@mantine/core"
import { IconPlus, IconRoute } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import type { PageLoader } from "../../../../page-loader.ts"
import { useSession } from "../../../../session/session.ts"
import { PageLoading } from "../../../../shell/page-states.tsx"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { bindText } from "../../../../ui/forms/bind.ts"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { FormPanel } from "../../../../ui/forms/FormPanel.tsx"
import { useLeaveWarning } from "../../../../ui/forms/leave-warning.tsx"
import { EmptyState } from "../../../../ui/layout/EmptyState.tsx"
import { notifyDone } from "../../../../ui/notify.ts"
import { DataTable } from "../../../../ui/tables/DataTable.tsx"
import { hubsQuery } from "../../../organization/hubs/hubs.queries.ts"
import { PlanningPage, useHubOfPage } from "../PlanningPage.tsx"
import { ProfileFields } from "./ProfileFields.tsx"
import { type ProfileDraft, profileBodyOf, profileDraftOf } from "./profile-draft.ts"
import { profileMessages } from "./profile-messages.ts"
import { deleteProfile, type Profile, profilesQuery, saveProfile } from "./profiles.queries.ts"

export const loader: PageLoader = async ({ client, search }) => {
  const hubs = await client.ensureQueryData(hubsQuery)
  const hubId = typeof search.hub === "string" ? search.hub : hubs[0]?._id
  if (hubId) await client.prefetchQuery(profilesQuery(hubId))
}

interface Opened {
  profile: Profile
  /** Absent: a new one that begins as this. */
  id?: string
}

export function ProfilesPage() {
  const t = useMessages(profileMessages)
  const { may } = useSession()
  const page = useHubOfPage()
  const { hubId } = page
  const profiles = useQuery({ ...profilesQuery(hubId ?? ""), enabled: hubId !== undefined })
  const [opened, setOpened] = useState<Opened>()
  const rows = profiles.data ?? []
  const [current] = rows
  const mayEdit = may("edit/configuration")
  return (
    <PlanningPage
      title={t("profiles")}
      hint={t("profilesText")}
      page={page}
      action={
        mayEdit && current ? (
          <ActionButton
            icon={IconPlus}
            label={t("add")}
            onClick={() => setOpened({ profile: { ...current, name: t("copyOf", { name: current.name }) } })}
          />
        ) : null
      }
    >
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        <FormError error={profiles.error} />
        {hubId === undefined ? (
          <EmptyState icon={IconRoute} title={t("profiles")} text={t("needsHub")} />
        ) : null}
        {hubId !== undefined && profiles.isPending ? <PageLoading /> : null}
        <ProfileTable
          rows={rows}
          onOpen={(profile) => setOpened({ profile, id: profile._id })}
          mayEdit={mayEdit}
        />
      </div>
      {opened && hubId ? (
        <ProfileForm
          key={opened.id ?? "new"}
          hubId={hubId}
          opened={opened}
          isLast={rows.length < 2}
          isLocked={!mayEdit}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
    </PlanningPage>
  )
}

interface ProfileTableProps {
  rows: readonly Profile[]
  mayEdit: boolean
  onOpen(profile: Profile): void
}

function ProfileTable({ rows, mayEdit, onOpen }: ProfileTableProps) {
  const t = useMessages(profileMessages)
  const formats = useFormats()
  const use = useAction(
    (profile: Profile) =>
      // Whichever was saved last is the one in use.
      saveProfile(profile.hubId, profile._id, profileBodyOf(profileDraftOf(profile))),
    { refreshes: [["routing-settings"]] },
  )
  if (rows.length === 0) return null
  return (
    <DataTable
      rows={rows}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("name"),
          cell: (profile) => (
            <>
              <button type="button" className="row-link link-button" onClick={() => onOpen(profile)}>
                {profile.name}
              </button>
              <div className="quiet">
                <ProfileSummary profile={profile} />
              </div>
            </>
          ),
        },
        {
          title: t("changed"),
          from: "md",
          kind: "quiet",
          cell: ({ updatedTime }) => formats.dateTime(updatedTime),
        },
        {
          title: t("use"),
          kind: "actions",
          cell: (profile, index) =>
            index === 0 ? (
              <span className="quiet">{t("inUse")}</span>
            ) : mayEdit ? (
              <Button
                size="compact-sm"
                variant="light"
                loading={use.isPending && use.variables._id === profile._id}
                onClick={() => use.mutate(profile)}
              >
                {t("use")}
              </Button>
            ) : null,
        },
      ]}
    />
  )
}

/** What a profile does, in a line. */
export function ProfileSummary({ profile }: { profile: Profile }) {
  const t = useMessages(profileMessages)
  const parts = [
    t(profile.returnToHub || profile.multitrip ? "summary_return" : "summary_open"),
    profile.autoSpeed ? t("summary_autoSpeed") : t("summary_speed", { speed: profile.defaultSpeed }),
    ...(profile.multitrip ? [t("summary_trips", { count: profile.numberOfMultitrip })] : []),
    ...(profile.crossDockingType === "none" ? [] : [t("summary_docking", { count: profile.subHubs.length })]),
  ]
  return <>{parts.join(" · ")}</>
}

interface ProfileFormProps {
  hubId: string
  opened: Opened
  isLast: boolean
  isLocked: boolean
  onClose(): void
}

function ProfileForm({ hubId, opened: { profile, id }, isLast, isLocked, onClose }: ProfileFormProps) {
  const t = useMessages(profileMessages)
  const client = useQueryClient()
  const [changed, setChanged] = useState<ProfileDraft>()
  const [isAsking, setAsking] = useState(false)
  const draft = changed ?? profileDraftOf(profile)
  const change = (part: Partial<ProfileDraft>) => setChanged({ ...draft, ...part })
  const after = async (text: string) => {
    notifyDone(text)
    await client.invalidateQueries({ queryKey: ["routing-settings"] })
    onClose()
  }
  const save = useAction(() => saveProfile(hubId, id, profileBodyOf(draft)), {
    onDone: () => after(t("saved", { name: draft.name.trim() })),
  })
  const remove = useAction(() => deleteProfile(id ?? ""), {
    onDone: () => after(t("removed", { name: profile.name })),
  })
  const close = useLeaveWarning(changed !== undefined && !save.isAccepted && !remove.isAccepted, onClose)
  return (
    <FormPanel
      onClose={close}
      size={520}
      title={id ? t("edit", { name: profile.name }) : t("add")}
      history={id === undefined ? undefined : { objectType: "routing-configuration", objectId: id }}
      gap="md"
      request={{ error: save.error ?? remove.error, isPending: save.isPending }}
      isLocked={isLocked}
      onSubmit={() => save.mutate()}
      aside={
        id ? (
          <Button
            variant="subtle"
            color="red"
            disabled={isLast}
            title={isLast ? t("lastOne") : undefined}
            onClick={() => setAsking(true)}
          >
            {t("delete")}
          </Button>
        ) : null
      }
    >
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={255}
        data-autofocus
        {...bindText(draft.name, (name) => change({ name }))}
      />
      <ProfileFields hubId={hubId} draft={draft} onChange={change} />
      <ConfirmDialog
        isOpen={isAsking}
        title={t("deleteTitle", { name: profile.name })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </FormPanel>
  )
}
