import "./MoreActions.css"
import { ActionIcon, Button, Menu } from "@mantine/core"
import { type Icon, IconDots } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { Explained } from "../Explained.tsx"

export interface PageAction {
  label: string
  icon: Icon
  /** Where it leads, with the search of that page; otherwise `onClick` does it. */
  link?: { to: string; params?: object; search?: object }
  onClick?: () => void
  isDisabled?: boolean
  /** Why it cannot be done; without one it can. */
  reason?: string | undefined
}

/** What is done on a page less often: buttons where there is room for them, a menu on a phone. */
export function MoreActions({ actions }: { actions: readonly PageAction[] }) {
  const t = useMessages(shellMessages)
  if (actions.length === 0) return null
  return (
    <>
      {actions.map(({ label, icon: ActionSymbol, link, onClick, isDisabled, reason }) => (
        <Explained key={label} reason={reason}>
          <Button
            variant="default"
            className="from-sm-inline"
            leftSection={<ActionSymbol size={16} />}
            {...(isDisabled === undefined ? {} : { disabled: isDisabled })}
            {...(link ? ({ component: Link, ...link } as object) : { onClick })}
          >
            {label}
          </Button>
        </Explained>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} className="to-sm-inline" aria-label={t("moreActions")}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
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
    </>
  )
}
