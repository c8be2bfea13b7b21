import "./saved-views.css"
import { Button, Group, Menu, Select, Stack, Text, TextInput, UnstyledButton } from "@mantine/core"
import {
  IconArrowLeft,
  IconDots,
  IconHistory,
  IconLink,
  IconPin,
  IconPinnedOff,
  IconReplace,
  IconTrash,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { historyMessages } from "../../../ui/history/history-messages.ts"
import { LazyHistory } from "../../../ui/history/WithHistory.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { type PinnedViews, pinnedViews, usePreference } from "../users/preferences.queries.ts"
import { teamsQuery } from "../users/teams.queries.ts"
import { savedViewMessages } from "./messages.ts"
import {
  columnsOfView,
  removeView,
  replaceView,
  type SavedView,
  saveView,
  useListColumns,
  viewsQuery,
} from "./saved-views.queries.ts"

export interface SavedViewsProps {
  /** `tasks`, `vehicles`, `people`, `deliveries`, or `data-` and the id of a data type. */
  list: string
  /** What the list shows now, as its address has it. */
  content: object
  onChoose(content: Record<string, unknown>): void
}

/** The saved views of a list, one's own and shared ones, and a form to save what is shown. */
export default function ViewList({ list, content, onChoose }: SavedViewsProps) {
  const t = useMessages(savedViewMessages)
  const tHistory = useMessages(historyMessages)
  const { data: views = [] } = useQuery(viewsQuery)
  const [columns, keepColumns] = useListColumns(list)
  const plain: Record<string, unknown> = Object.fromEntries(
    Object.entries({ ...content, ...(columns ? { columns } : {}) }),
  )
  const [shown, setShown] = useState<SavedView>()
  const choose = (view: SavedView) => {
    const own = columnsOfView(view)
    if (own) keepColumns(own)
    onChoose(view.content)
  }
  const ofList = views.filter((view) => view.list === list)
  const groups = [
    { title: t("own"), views: ofList.filter(({ isOwn }) => isOwn) },
    { title: t("shared"), views: ofList.filter(({ isOwn }) => !isOwn) },
  ]
  if (shown)
    return (
      <Stack gap="sm" w={280} mah="60vh" style={{ overflowY: "auto" }}>
        <Group gap={4} wrap="nowrap">
          <IconButton
            icon={IconArrowLeft}
            label={t("back")}
            data-autofocus
            onClick={() => setShown(undefined)}
          />
          <strong className="truncate">{`${tHistory("history")}: ${shown.name}`}</strong>
        </Group>
        <LazyHistory objectType="saved-view" objectId={shown._id} />
      </Stack>
    )
  return (
    <Stack gap="sm" w={280}>
      {ofList.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("noViews")}
        </Text>
      ) : null}
      {groups.map((group) =>
        group.views.length > 0 ? (
          <section key={group.title} aria-label={group.title}>
            <Text size="xs" c="dimmed">
              {group.title}
            </Text>
            <ul className="saved-views">
              {group.views.map((view) => (
                <li key={view._id}>
                  <UnstyledButton className="saved-view truncate" onClick={() => choose(view)}>
                    {view.name}
                  </UnstyledButton>
                  <ViewOptions view={view} content={plain} onHistory={() => setShown(view)} />
                </li>
              ))}
            </ul>
          </section>
        ) : null,
      )}
      <SaveForm list={list} content={plain} />
    </Stack>
  )
}

interface ViewOptionsProps {
  view: SavedView
  content: Record<string, unknown>
  onHistory(): void
}

function ViewOptions({ view, content, onHistory }: ViewOptionsProps) {
  const t = useMessages(savedViewMessages)
  const tHistory = useMessages(historyMessages)
  const [pinned, setPinned] = usePreference<PinnedViews>(pinnedViews)
  const ids = pinned?.ids ?? []
  const isPinned = ids.includes(view._id)
  const options = { refreshes: [viewsQuery.queryKey], failed: () => t("failed") }
  const { list, name, visibility, teamId } = view
  const replace = useAction(
    () =>
      replaceView(view._id, {
        list,
        name,
        visibility,
        ...(teamId ? { teamId: teamId } : {}),
        content,
      }),
    { ...options, done: () => t("replaced") },
  )
  const remove = useAction(() => removeView(view._id), options)
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.origin + paths.savedView.replace("$viewId", view._id))
    notifyDone(t("copied"))
  }
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <IconButton icon={IconDots} label={t("options", { name })} iconSize={15} size="sm" />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
          onClick={() =>
            setPinned({ ids: isPinned ? ids.filter((id) => id !== view._id) : [...ids, view._id].slice(-20) })
          }
        >
          {t(isPinned ? "unpin" : "pin")}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={15} />} onClick={() => void copy()}>
          {t("copyLink")}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={15} />} onClick={onHistory}>
          {tHistory("history")}
        </Menu.Item>
        {view.canChange ? (
          <>
            <Menu.Item leftSection={<IconReplace size={15} />} onClick={() => replace.mutate()}>
              {t("replace")}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => remove.mutate()}>
              {t("removeView")}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

function SaveForm({ list, content }: { list: string; content: Record<string, unknown> }) {
  const t = useMessages(savedViewMessages)
  const { may, user } = useSession()
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const own = teams.filter(({ _id }) => user.teamId?.includes(_id))
  const [name, setName] = useState("")
  const [visibility, setVisibility] = useState("private")
  const save = useAction(
    () =>
      saveView({
        list,
        name: name.trim(),
        content,
        ...(visibility === "private" || visibility === "everyone"
          ? { visibility }
          : { visibility: "team", teamId: visibility }),
      }),
    { refreshes: [viewsQuery.queryKey], done: () => t("saved"), onDone: () => setName("") },
  )
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="xs">
        <TextInput
          aria-label={t("viewName")}
          placeholder={t("viewName")}
          required
          maxLength={60}
          {...bindText(name, setName)}
        />
        <Select
          label={t("visibility")}
          value={visibility}
          onChange={(value) => setVisibility(value ?? "private")}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: "private", label: t("private") },
            ...own.map((team) => ({ value: team._id, label: t("team", { name: team.name }) })),
            { value: "everyone", label: t("everyone") },
          ]}
        />
        <FormError error={save.error} />
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
          {t("saveView")}
        </Button>
      </Stack>
    </Form>
  )
}
