import { Menu } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import type { PageAction } from "./MoreActions.tsx"

/** The actions of a page as a menu, opened. What cannot be done says why below its name. */
export default function MoreItems({
  actions,
  button,
}: {
  actions: readonly PageAction[]
  button: ReactElement
}) {
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: ActionSymbol, link, onClick, isDisabled, reason }) => (
          <Menu.Item
            key={label}
            leftSection={<ActionSymbol size={16} />}
            disabled={isDisabled === true || reason !== undefined}
            {...(link ? ({ component: Link, ...link } as object) : { onClick })}
          >
            {label}
            {reason === undefined ? null : <span className="quiet menu-reason">{reason}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
