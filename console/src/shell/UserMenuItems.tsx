import { Menu, useMantineColorScheme } from "@mantine/core"
import {
  IconBook2,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { languageNames, languages } from "#shared/languages.ts"
import { server } from "../api/server.ts"
import { useLanguage, useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useChooseLanguage } from "../session/choose-language.ts"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"

/** What the menu of the user offers; loaded when it is opened. */
export default function UserMenuItems() {
  const t = useMessages(shellMessages)
  const { user } = useSession()
  const { language } = useLanguage()
  const chooseLanguage = useChooseLanguage()
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
    <>
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
      {languages.map((value) => (
        <Menu.Item
          key={value}
          lang={value}
          rightSection={language === value ? <IconCheck size={14} /> : null}
          onClick={() => chooseLanguage(value)}
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
    </>
  )
}
