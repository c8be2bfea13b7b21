import { Code, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { HistoryButton } from "../../../ui/history/HistoryButton.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { rolesQuery } from "../../people/users/users.queries.ts"
import { createDirectory, type Directory, deleteDirectory, directoriesQuery } from "./directories.queries.ts"

const messages = defineMessages("extensions.directoriesSection", {
  title: "Directories",
  text: "Your company directory creates, changes and disables people by SCIM 2.0.",
  none: "No directory yet.",
  add: "Connect a directory",
  name: "Name",
  role: "Role of people without a role in the directory",
  hub: "Hub of people and teams without a hub in the directory",
  lastUsed: "Last used {time}",
  unused: "Not used yet",
  secretTitle: "Copy the token now: it is not shown again",
  address: "Address (tenant URL)",
  token: "Token",
  remove: "Disconnect",
  removeTitle: "Disconnect {name}?",
  removeText: "The directory can no longer change people. They stay as they are.",
})

interface Made {
  baseUrl: string
  token: string
}

/** Directories that provision people. */
export function DirectoriesSection() {
  const t = useMessages(messages)
  const formats = useFormats()
  const { may, user } = useSession()
  const { data: directories } = useSuspenseQuery(directoriesQuery)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<Made>()
  const [removing, setRemoving] = useState<Directory>()
  const remove = useAction((one: Directory) => deleteDirectory(one._id), {
    refreshes: [directoriesQuery.queryKey],
  })
  return (
    <section className="integration-section" aria-label={t("title")}>
      <Group justify="space-between">
        <h2>{t("title")}</h2>
        {may("add/integration") && user.role?.name === "owner" ? (
          <ActionButton icon={IconPlus} label={t("add")} size="xs" onClick={() => setAdding(true)} />
        ) : null}
      </Group>
      <Text size="sm" className="quiet">
        {t("text")}
      </Text>
      <FormError error={remove.error} />
      {directories.length === 0 ? <p>{t("none")}</p> : null}
      {directories.map((one) => (
        <article key={one._id} className="integration-card" aria-label={one.name}>
          <Group justify="space-between" wrap="nowrap">
            <div>
              <h3>{one.name}</h3>
              <Text size="sm" className="quiet">
                {one.lastUsedTime ? t("lastUsed", { time: formats.dateTime(one.lastUsedTime) }) : t("unused")}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <HistoryButton objectType="scim-token" objectId={one._id} name={one.name} />
              {may("delete/integration") ? (
                <IconButton
                  icon={IconTrash}
                  label={`${t("remove")}: ${one.name}`}
                  onClick={() => setRemoving(one)}
                />
              ) : null}
            </Group>
          </Group>
        </article>
      ))}
      {isAdding ? (
        <DirectoryForm
          onMade={(result) => {
            setAdding(false)
            setMade(result)
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {made ? (
        <OpenModal onClose={() => setMade(undefined)} title={t("secretTitle")} closeOnClickOutside={false}>
          <Stack gap="sm">
            <Text size="sm">{t("address")}</Text>
            <Code block>{made.baseUrl}</Code>
            <CopyText text={made.baseUrl} />
            <Text size="sm">{t("token")}</Text>
            <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
              {made.token}
            </Code>
            <CopyText text={made.token} />
          </Stack>
        </OpenModal>
      ) : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
    </section>
  )
}

function DirectoryForm({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const t = useMessages(messages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: allRoles = [] } = useQuery(rolesQuery)
  const roles = allRoles.filter(({ name, isDefault }) => !(isDefault && name === "owner"))
  const [name, setName] = useState("")
  const [roleId, setRoleId] = useState("")
  const [hubId, setHubId] = useState("")
  const make = useAction(() => createDirectory({ name: name.trim(), roleId, hubId }), {
    refreshes: [directoriesQuery.queryKey],
    onDone: onMade,
  })
  const optionsOf = (rows: readonly { _id: string; name: string }[]) => [
    { value: "", label: "" },
    ...rows.map(({ _id, name: label }) => ({ value: _id, label })),
  ]
  return (
    <FormDialog title={t("add")} request={make} onSubmit={() => make.mutate()} onClose={onClose}>
      <TextInput label={t("name")} required maxLength={100} data-autofocus {...bindText(name, setName)} />
      <NativeSelect
        label={t("role")}
        required
        data={optionsOf(roles)}
        value={roleId}
        onChange={(event) => setRoleId(event.currentTarget.value)}
      />
      <NativeSelect
        label={t("hub")}
        required
        data={optionsOf(hubs)}
        value={hubId}
        onChange={(event) => setHubId(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
