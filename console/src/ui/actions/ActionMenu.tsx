import { Menu } from "@mantine/core"
import { type Icon, IconDots } from "@tabler/icons-react"
import { IconButton } from "./ActionButton.tsx"

interface MenuAction {
  label: string
  icon?: Icon
  isDisabled?: boolean
  /** It deletes something. */
  isDangerous?: boolean
  onClick(): void
}

interface ActionMenuProps {
  label: string
  variant?: "default"
  size?: number
  /** In their order; an action that does not apply is `false`. */
  actions: readonly (MenuAction | false)[]
}

/** What can be done with one thing, behind three dots. */
export function ActionMenu({ label, actions, ...button }: ActionMenuProps) {
  const offered = actions.filter((action) => action !== false)
  if (offered.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconDots} iconSize={18} label={label} {...button} />
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ label: text, icon: Shape, isDisabled = false, isDangerous, onClick }) => (
          <Menu.Item
            key={text}
            {...(isDangerous ? { color: "red" } : {})}
            leftSection={Shape ? <Shape size={16} aria-hidden /> : undefined}
            disabled={isDisabled}
            onClick={onClick}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
