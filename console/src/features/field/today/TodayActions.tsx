import { Button } from "@mantine/core"
import { IconArrowsSort, IconHandGrab, IconMap, IconPackages, IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useKeptChoices } from "./kept-choices.ts"
import { todayMessages } from "./today-messages.ts"

interface TodayActionsProps {
  hasStops: boolean
  mayReorder: boolean
  isReordering: boolean
  onReorder(): void
}

/** What a person can do with the day as a whole, as far as their role allows. */
export function TodayActions({ hasStops, mayReorder, isReordering, onReorder }: TodayActionsProps) {
  const t = useMessages(todayMessages)
  const { may, mayAny } = useSession()
  useKeptChoices()
  const links = [
    { to: paths.fieldMap, label: t("map"), icon: IconMap, isShown: true },
    { to: paths.fieldLoad, label: t("load"), icon: IconPackages, isShown: hasStops },
    { to: paths.fieldClaim, label: t("claim"), icon: IconHandGrab, isShown: may("task/claim") },
    { to: paths.fieldNew, label: t("create"), icon: IconPlus, isShown: may("add/task") },
  ]
  return (
    <nav className="today-actions" aria-label={t("actions")}>
      {links.map(({ to, label, icon: LinkIcon, isShown }) =>
        isShown ? (
          <Button
            key={to}
            size="md"
            variant="default"
            leftSection={<LinkIcon size={18} aria-hidden />}
            renderRoot={(props) => <Link {...props} to={to} />}
          >
            {label}
          </Button>
        ) : null,
      )}
      {mayReorder && mayAny("task/reorder", "edit/task") ? (
        <Button
          size="md"
          variant={isReordering ? "filled" : "default"}
          leftSection={<IconArrowsSort size={18} aria-hidden />}
          onClick={onReorder}
        >
          {t(isReordering ? "reordered" : "reorder")}
        </Button>
      ) : null}
    </nav>
  )
}
