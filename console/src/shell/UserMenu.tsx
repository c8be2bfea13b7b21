import "./UserMenu.css"
import { Avatar, Menu, UnstyledButton, VisuallyHidden } from "@mantine/core"
import { IconSelector } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { userMessages } from "../features/people/users/messages.ts"
import { roleName } from "../features/people/users/role-name.ts"
import { useMessages } from "../i18n/language.tsx"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"

const UserMenuItems = lazy(() => import("./UserMenuItems.tsx"))

/** Account, appearance, language and sign-out. */
export function UserMenu() {
  const t = useMessages(shellMessages)
  const tUser = useMessages(userMessages)
  const { user } = useSession()
  return (
    <Menu position="top-start" width={228}>
      <Menu.Target>
        <UnstyledButton className="user-button">
          <Avatar name={user.name} color="initials" size={30} radius="xl" aria-hidden />
          <span className="user-names">
            <span className="user-name" dir="auto">
              {user.name}
            </span>
            <span className="user-role">{user.role ? roleName(user.role, tUser) : ""}</span>
            <VisuallyHidden>{t("account")}</VisuallyHidden>
          </span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense fallback={null}>
          <UserMenuItems />
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  )
}
