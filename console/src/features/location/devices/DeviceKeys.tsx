import "./devices.css"
import { Button, Group, Select, TextInput } from "@mantine/core"
import { IconDeviceMobile } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataQuery, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { type Session, useSession } from "../../../session/session.ts"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { HistoryButton } from "../../../ui/history/HistoryButton.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { useNow } from "../../../ui/now.ts"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { usersQuery } from "../../people/users/users.queries.ts"
import { DeviceSetup, type NewKey } from "./DeviceSetup.tsx"
import { deviceMessages } from "./messages.ts"
import { Trackers } from "./Trackers.tsx"
import { trackersQuery } from "./trackers.queries.ts"

const keysQuery = (userId?: string) =>
  dataQuery(["device-keys", userId], "/api/v3/device-keys", { query: userId === undefined ? {} : { userId } })

const offersPeople = ({ may }: Session) => may("edit/member") && may("view/user")

export const loader: PageLoader = ({ client, session }) =>
  Promise.all([
    client.prefetchQuery(keysQuery()),
    session.may("edit/member") ? client.prefetchQuery(trackersQuery) : undefined,
    offersPeople(session) ? client.prefetchQuery(usersQuery) : undefined,
  ])

export const loadOwnDevices: PageLoader = ({ client, session }) =>
  client.prefetchQuery(keysQuery(session.user._id))

/** Device keys of one person, or of everyone for people who may edit members. */
export function DeviceKeys({ userId }: { userId?: string }) {
  const t = useMessages(deviceMessages)
  const formats = useFormats()
  const now = useNow(10_000)
  const session = useSession()
  const { user, may } = session
  const isForAll = userId === undefined && may("edit/member")
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: isForAll && offersPeople(session) })
  const [name, setName] = useState("")
  const [person, setPerson] = useState<string | null>(null)
  const [made, setMade] = useState<NewKey>()
  const [revoking, setRevoking] = useState<{ _id: string; name: string }>()
  const { data: keys } = useQuery(keysQuery(userId))
  const make = useAction(
    async () => {
      const owner = person ?? userId ?? user._id
      const { data } = await server.post("/api/v3/device-key", { body: { name: name.trim(), userId: owner } })
      return data
    },
    {
      refreshes: [["device-keys"]],
      onDone: (key) => {
        setMade(key)
        setName("")
      },
    },
  )
  const revoke = useAction(
    (key: { _id: string; name: string }) =>
      server.delete("/api/v3/device-key/{deviceKeyId}", { deviceKeyId: key._id }),
    { refreshes: [["device-keys"]], done: (_result, key) => t("revoked", { name: key.name }) },
  )
  return (
    <>
      <Form onSubmit={() => make.mutate()} className="device-form">
        <p className="quiet">{t("text")}</p>
        <Group align="end" gap="xs">
          {isForAll ? (
            <Select
              label={t("person")}
              searchable
              data={users
                .filter((one) => one.status === "active")
                .map((one) => ({ value: one._id, label: one.name }))}
              value={person ?? user._id}
              onChange={setPerson}
              w={220}
            />
          ) : null}
          <TextInput
            label={t("name")}
            placeholder={t("namePlaceholder")}
            required
            withAsterisk={false}
            maxLength={200}
            w={240}
            {...bindText(name, setName)}
          />
          <Button type="submit" loading={make.isPending}>
            {t("make")}
          </Button>
        </Group>
        <FormError error={make.error ?? revoke.error} />
      </Form>
      {made ? <DeviceSetup made={made} onDone={() => setMade(undefined)} /> : null}
      {keys?.length === 0 && !made ? (
        <EmptyState icon={IconDeviceMobile} title={t("emptyTitle")} text={t("emptyText")} />
      ) : keys && keys.length > 0 ? (
        <DataTable
          rows={keys}
          keyOf={({ _id }) => _id}
          columns={[
            { title: t("name"), kind: "name", cell: (key) => key.name },
            isForAll && { title: t("person"), cell: (key) => key.userName },
            {
              title: t("lastUsed"),
              from: "sm",
              kind: "quiet",
              cell: (key) => (
                <>
                  {key.lastUsedTime ? formats.ago(key.lastUsedTime, now) : t("never")}
                  {key.lastProtocol ? ` · ${key.lastProtocol}` : ""}
                  {key.lastRefusal ? (
                    <div className="overdue">
                      {t("refused")}: {key.lastRefusal}
                    </div>
                  ) : null}
                </>
              ),
            },
            { title: t("when"), from: "md", kind: "quiet", cell: (key) => formats.dateTime(key.createdTime) },
            {
              title: t("revoke"),
              kind: "actions",
              cell: (key) => (
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <HistoryButton objectType="device-key" objectId={key._id} name={key.name} />
                  <RowButton label={t("revoke")} of={key.name} onClick={() => setRevoking(key)} />
                </Group>
              ),
            },
          ]}
        />
      ) : null}
      <ConfirmDialog
        isOpen={revoking !== undefined}
        title={t("revokeTitle", { name: revoking?.name ?? "" })}
        text={t("revokeText")}
        confirm={t("revoke")}
        isDangerous
        onClose={() => setRevoking(undefined)}
        onConfirm={() => revoking && revoke.mutate(revoking)}
      />
    </>
  )
}

/** The devices of all people, as a section of the settings. */
export function DevicesPage() {
  const { may } = useSession()
  return (
    <>
      <DeviceKeys />
      {may("edit/member") ? <Trackers /> : null}
    </>
  )
}

/** A line that the account page shows above one's own devices. */
export function OwnDevices({ title }: { title: string }) {
  const { user } = useSession()
  return (
    <section aria-label={title}>
      <h2 className="panel-heading">{title}</h2>
      <DeviceKeys userId={user._id} />
    </section>
  )
}
