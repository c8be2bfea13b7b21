import "./SignedInLayout.css"
import { ActionIcon, AppShell, Burger, Group, UnstyledButton } from "@mantine/core"
import { useDisclosure, useHotkeys } from "@mantine/hooks"
import { IconSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useEffect } from "react"
import { runningPluginsQuery } from "../features/extensions/plugins/plugins.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { LiveProvider } from "../live/live.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { UndoKeeper } from "../ui/actions/UndoKeeper.tsx"
import { Brand, OrganizationColor } from "./Brand.tsx"
import { ConnectionState } from "./ConnectionState.tsx"
import { shellMessages } from "./messages.ts"
import { NavigationList } from "./NavigationList.tsx"
import { navigation } from "./navigation.ts"
import { OrganizationMenu } from "./OrganizationMenu.tsx"
import { Palette } from "./palette/Palette.tsx"
import { useShortcuts } from "./shortcuts.ts"
import { UserMenu } from "./UserMenu.tsx"

const HubChoice = lazy(() => import("./HubChoice.tsx"))
const ShortcutHelp = lazy(() => import("./palette/ShortcutHelp.tsx"))

const InboxButton = lazy(() => import("../features/work/messages/InboxButton.tsx"))
const PluginFrames = lazy(() => import("../features/extensions/plugins/PluginFrames.tsx"))

/** Sidebar and content for signed-in users; on phones the sidebar slides in. */
export function SignedInLayout() {
  const t = useMessages(shellMessages)
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const isMapWindow = pathname === paths.dispatchMap
  const session = useSession()
  const { user } = session
  const navigate = useNavigate()
  const { data: plugins = [] } = useQuery(runningPluginsQuery)
  const [isPaletteOpen, palette] = useDisclosure()
  const [areKeysShown, keys] = useDisclosure()
  useHotkeys([["mod+K", palette.toggle]], [])
  useShortcuts({
    "?": keys.open,
    ...(session.may("add/task")
      ? { c: () => void navigate({ to: paths.tasks, search: { create: true } }) }
      : {}),
    ...Object.fromEntries(
      navigation.flatMap(({ entries }) =>
        entries.flatMap(({ key, to, isOffered }) =>
          key && isOffered(session) ? [[`g ${key}`, () => void navigate({ to })] as const] : [],
        ),
      ),
    ),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sidebar closes when the page changes
  useEffect(close, [pathname])
  return (
    <LiveProvider>
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <AppShell
        layout="alt"
        header={{ height: { base: 52, md: 0 } }}
        navbar={{ width: 236, breakpoint: "md", collapsed: { mobile: !isOpen, desktop: isMapWindow } }}
        padding={0}
      >
        <AppShell.Header hiddenFrom="md" className="shell-header">
          <OrganizationColor />
          <Group h="100%" px="sm" gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={t("openNavigation")} />
            <Brand />
            <ConnectionState isCompact />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={40}
              onClick={palette.open}
              aria-label={t("openPalette")}
            >
              <IconSearch size={20} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className="shell-navbar" aria-label={t("navigation")}>
          <OrganizationColor />
          <div className="shell-navbar-top">
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <OrganizationMenu />
              <Burger
                hiddenFrom="md"
                opened={isOpen}
                onClick={toggle}
                size="sm"
                aria-label={t("openNavigation")}
              />
            </Group>
            <UnstyledButton className="palette-open" onClick={palette.open}>
              <IconSearch size={16} stroke={1.7} aria-hidden />
              <span>{t("openPalette")}</span>
              <kbd aria-hidden>Ctrl K</kbd>
            </UnstyledButton>
            <Suspense fallback={null}>
              <HubChoice />
            </Suspense>
          </div>
          <NavigationList />
          <div className="shell-navbar-bottom">
            <UserMenu />
            {session.mayAny("view/task", "do/task", "view/data", "view/result") ? (
              <Suspense fallback={null}>
                <InboxButton />
              </Suspense>
            ) : null}
            <ConnectionState />
          </div>
        </AppShell.Navbar>
        <AppShell.Main id="content" className="shell-main" tabIndex={-1}>
          {user.passwordExpired ? (
            <p className="shell-notice" role="alert">
              {t("passwordExpired")} <Link to={paths.account}>{t("account")}</Link>
            </p>
          ) : null}
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <UndoKeeper />
      {isPaletteOpen ? <Palette onClose={palette.close} /> : null}
      <Suspense fallback={null}>{areKeysShown ? <ShortcutHelp onClose={keys.close} /> : null}</Suspense>
      {plugins.length > 0 ? (
        <Suspense fallback={null}>
          <PluginFrames />
        </Suspense>
      ) : null}
    </LiveProvider>
  )
}
