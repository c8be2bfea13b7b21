import { Button, Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { ShownOnce } from "../../../ui/ShownOnce.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { usersQuery } from "../../people/users/users.queries.ts"
import { schedulesQuery } from "../task-schedules/schedules.queries.ts"
import { createFeed, type FeedKind, feedsQuery } from "./calendars.queries.ts"
import { calendarMessages } from "./messages.ts"

/** A new feed: whose or what; then its address, once. */
export function FeedForm({ onClose }: { onClose(): void }) {
  const t = useMessages(calendarMessages)
  const { user, may } = useSession()
  const [kind, setKind] = useState<FeedKind>("person")
  const [targetId, setTargetId] = useState<string | null>(user._id)
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: kind === "person" && may("view/user") })
  const { data: hubs = [] } = useQuery({ ...hubsQuery, enabled: kind === "hub" })
  const { data: schedules = [] } = useQuery({ ...schedulesQuery, enabled: kind === "schedule" })
  const make = useAction(() => createFeed(kind, targetId ?? ""), { refreshes: [feedsQuery.queryKey] })
  const kinds: FeedKind[] = may("view/schedule") ? ["person", "hub", "schedule"] : ["person", "hub"]
  const optionOf = ({ _id, name }: { _id: string; name: string }) => ({ value: _id, label: name })
  const people = users.filter(({ _id }) => _id !== user._id).map(optionOf)
  const targets = {
    person: { label: t("whose"), data: [{ value: user._id, label: t("mine") }, ...people] },
    hub: { label: t("whichHub"), data: hubs.map(optionOf) },
    schedule: { label: t("whichSchedule"), data: schedules.map(optionOf) },
  }[kind]
  if (make.data) {
    const { name, url } = make.data
    return (
      <ShownOnce
        title={name ?? ""}
        secret={url}
        notice={t("madeTitle")}
        hint={t("madeText")}
        action={
          <Button component="a" variant="default" href={url.replace(/^https?:/, "webcal:")}>
            {t("open")}
          </Button>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog title={t("add")} request={make} submit={t("create")} onSubmit={make.mutate} onClose={onClose}>
      <Select
        label={t("shows")}
        data={kinds.map((value) => ({ value, label: t(value) }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => {
          setKind(value as FeedKind)
          setTargetId(value === "person" ? user._id : null)
        }}
      />
      <Select
        {...targets}
        placeholder={t("choose")}
        required
        searchable
        allowDeselect={false}
        value={targetId}
        onChange={setTargetId}
      />
    </FormDialog>
  )
}
