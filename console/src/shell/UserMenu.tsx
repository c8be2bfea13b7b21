import "./UserMenu.css"
import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from "@mantine/core"
import {
  IconBook2,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { server } from "../api/server.ts"
import { userMessages } from "../features/people/users/messages.ts"
import { roleName } from "../features/people/users/role-name.ts"
import { useLanguage, useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"

const languageNames = { en: "English", id: "Bahasa Indonesia" } as const

/** Account, appearance, language and sign-out. */
export function UserMenu() {
  const t = useMessages(shellMessages)
  const tUser = useMessages(userMessages)
  const { user } = useSession()
  const { language, setLanguage } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const client = useQueryClient()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => server.post("/api/v3/logout"),
    onSettled: async () => {
      await navigate({ to: paths.signIn, search: {} })
      client.clear()
    },
  })
  const schemes = [
    { value: "light", label: t("light"), icon: IconSun },
    { value: "dark", label: t("dark"), icon: IconMoon },
    { value: "auto", label: t("auto"), icon: IconDeviceDesktop },
  ] as const
  return (
    <Menu position="top-start" width={228}>
      <Menu.Target>
        <UnstyledButton className="user-button">
          <Avatar name={user.name} color="initials" size={30} radius="xl" aria-hidden />
          <span className="user-names">
            <span className="user-name">{user.name}</span>
            <span className="user-role">{user.role ? roleName(user.role, tUser) : ""}</span>
            <VisuallyHidden>{t("account")}</VisuallyHidden>
          </span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to={paths.account} leftSection={<IconUserCircle size={16} />}>
          {t("account")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t("appearance")}</Menu.Label>
        {schemes.map(({ value, label, icon: SchemeIcon }) => (
          <Menu.Item
            key={value}
            leftSection={<SchemeIcon size={16} />}
            rightSection={colorScheme === value ? <IconCheck size={14} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Label>{t("language")}</Menu.Label>
        {(["en", "id"] as const).map((value) => (
          <Menu.Item
            key={value}
            lang={value}
            rightSection={language === value ? <IconCheck size={14} /> : null}
            onClick={() => setLanguage(value)}
          >
            {languageNames[value]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook2 size={16} />}>
          {t("api")}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
