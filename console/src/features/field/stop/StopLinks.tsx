import { Button, Menu } from "@mantine/core"
import { IconMessage, IconNavigation, IconPhone } from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import { fieldMessages } from "../messages.ts"
import { dialled, navigationLinks, type Stop } from "./stop.ts"

/** Navigate, call, message: what the phone's other apps do for a stop. */
export function StopLinks({ stop, title }: { stop: Stop; title: string }) {
  const t = useMessages(fieldMessages)
  const links = navigationLinks(stop)
  const phone = stop.phones.map(dialled).find((number) => number !== "")
  if (links.length === 0 && phone === undefined) return null
  return (
    <div className="stop-links">
      {links.length > 0 ? (
        <Menu position="top-start" width={220}>
          <Menu.Target>
            <Button
              size="lg"
              variant="light"
              leftSection={<IconNavigation size={20} aria-hidden />}
              aria-label={`${t("navigate")}: ${title}`}
            >
              {t("navigate")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {links.map(({ app, href }) => (
              <Menu.Item
                key={app}
                component="a"
                href={href}
                className="stop-link"
                {...(app === "geo" ? {} : { target: "_blank", rel: "noreferrer" })}
              >
                {app === "geo" ? t("otherMaps") : app}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {phone ? (
        <>
          <Button
            component="a"
            href={`tel:${phone}`}
            size="lg"
            variant="light"
            leftSection={<IconPhone size={20} aria-hidden />}
            aria-label={`${t("call")}: ${title}`}
          >
            {t("call")}
          </Button>
          <Button
            component="a"
            href={`sms:${phone}`}
            size="lg"
            variant="light"
            leftSection={<IconMessage size={20} aria-hidden />}
            aria-label={`${t("message")}: ${title}`}
          >
            {t("message")}
          </Button>
        </>
      ) : null}
    </div>
  )
}
