import { Button, Group, Popover, Stack, Text, TextInput, UnstyledButton } from "@mantine/core"
import { IconBookmark, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { useSession } from "../../../../session/session.ts"
import { ActionButton, IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { Form } from "../../../../ui/forms/Form.tsx"
import type { TaskSearch } from "./task-search.ts"
import { viewMessages } from "./view-messages.ts"

interface SavedView {
  name: string
  search: TaskSearch
}

/** Views are one's own and stay in the browser: the address carries them to others. */
function useSavedViews() {
  const { user, organization } = useSession()
  const key = `fieldway.task-views.${organization.id}.${user._id}`
  const [views, setViews] = useState<SavedView[]>(() => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
      return Array.isArray(stored) ? (stored as SavedView[]) : []
    } catch {
      return []
    }
  })
  const keep = (next: SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(next))
    setViews(next)
  }
  return { views, keep }
}

/** The saved views, and a form to save the current one. */
export function SavedViews({ search, onChoose }: { search: TaskSearch; onChoose(search: TaskSearch): void }) {
  const t = useMessages(viewMessages)
  const { views, keep } = useSavedViews()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState("")
  const save = () => {
    const { task: _open, create: _form, ...rest } = search
    const wanted = name.trim()
    keep([...views.filter((view) => view.name !== wanted), { name: wanted, search: rest }])
    setName("")
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <ActionButton
          icon={IconBookmark}
          label={t("views")}
          variant="default"
          onClick={() => setOpen((was) => !was)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm" w={260}>
          {views.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("noViews")}
            </Text>
          ) : (
            <ul className="saved-views">
              {views.map((view) => (
                <li key={view.name}>
                  <UnstyledButton
                    className="saved-view"
                    onClick={() => {
                      setOpen(false)
                      onChoose(view.search)
                    }}
                  >
                    {view.name}
                  </UnstyledButton>
                  <IconButton
                    icon={IconTrash}
                    label={t("removeView", { name: view.name })}
                    iconSize={15}
                    size="sm"
                    onClick={() => keep(views.filter((other) => other !== view))}
                  />
                </li>
              ))}
            </ul>
          )}
          <Form onSubmit={save}>
            <Group gap="xs" wrap="nowrap">
              <TextInput
                aria-label={t("viewName")}
                placeholder={t("viewName")}
                required
                maxLength={60}
                style={{ flex: 1 }}
                {...bindText(name, setName)}
              />
              <Button type="submit" disabled={name.trim() === ""}>
                {t("save")}
              </Button>
            </Group>
          </Form>
          <Text size="xs" c="dimmed">
            {t("viewsHere")}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
