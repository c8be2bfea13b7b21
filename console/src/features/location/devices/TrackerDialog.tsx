import { Select, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { usersQuery } from "../../people/users/users.queries.ts"
import { trackerMessages } from "./tracker-messages.ts"
import {
  changeTracker,
  type Protocol,
  protocolTitles,
  registerTracker,
  type Tracker,
} from "./trackers.queries.ts"

/** What the dialog starts with: a registered device, or what is known of a new one. */
export type EditedTracker = Partial<Tracker>

const protocols = Object.entries(protocolTitles).map(([value, label]) => ({ value, label }))

/** Registers a GPS tracker, or changes its name, protocol and person. */
export function TrackerDialog({ tracker, onClose }: { tracker: EditedTracker; onClose(): void }) {
  const t = useMessages(trackerMessages)
  const { user, may } = useSession()
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const [imei, setImei] = useState(tracker.imei ?? "")
  const [name, setName] = useState(tracker.name ?? "")
  const [protocol, setProtocol] = useState<Protocol>(tracker.protocol ?? "teltonika")
  const [userId, setUserId] = useState(tracker.userId ?? user._id)
  const { _id: id } = tracker
  const save = useAction(
    () => {
      const body = { imei: imei.trim(), name: name.trim(), protocol, userId }
      return id === undefined ? registerTracker(body) : changeTracker(id, body)
    },
    {
      refreshes: [["trackers"]],
      done: () => t(id === undefined ? "registered" : "saved", { name: name.trim() }),
      onDone: onClose,
    },
  )
  const people = users
    .filter((one) => one.status === "active")
    .map((one) => ({ value: one._id, label: one.name }))
  return (
    <FormDialog
      title={id === undefined ? t("register") : t("editTitle", { name: tracker.name ?? "" })}
      request={save}
      submit={id === undefined ? t("register") : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      history={id === undefined ? undefined : { objectType: "tracker", objectId: id }}
    >
      <TextInput
        label={t("imei")}
        description={t("imeiHint")}
        required
        withAsterisk={false}
        inputMode="numeric"
        maxLength={40}
        disabled={id !== undefined}
        {...bindText(imei, setImei)}
      />
      <Select
        label={t("protocol")}
        data={protocols}
        allowDeselect={false}
        value={protocol}
        onChange={(value) => value && setProtocol(value as Protocol)}
      />
      <TextInput
        label={t("name")}
        placeholder={t("namePlaceholder")}
        required
        withAsterisk={false}
        maxLength={200}
        {...bindText(name, setName)}
      />
      <Select
        label={t("person")}
        searchable
        allowDeselect={false}
        data={people.length > 0 ? people : [{ value: user._id, label: user.name }]}
        value={userId}
        onChange={(value) => value && setUserId(value)}
      />
    </FormDialog>
  )
}
