import { Button, Menu } from "@mantine/core"
import { IconMessage, IconNavigation, IconPhone } from "@tabler/icons-react"
import { useState } from "react"
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
      {links.length > 0 ? <Navigation links={links} title={title} /> : null}
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

/** The menu exists from the first tap on: 150 stops have 150 of them. */
function Navigation({ links, title }: { links: ReturnType<typeof navigationLinks>; title: string }) {
  const t = useMessages(fieldMessages)
  const [isAsked, setAsked] = useState(false)
  const look = {
    size: "lg",
    variant: "light",
    leftSection: <IconNavigation size={20} aria-hidden />,
    "aria-label": `${t("navigate")}: ${title}`,
  } as const
  if (!isAsked)
    return (
      <Button {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setAsked(true)}>
        {t("navigate")}
      </Button>
    )
  return (
    <Menu position="top-start" width={220} defaultOpened>
      <Menu.Target>
        <Button {...look}>{t("navigate")}</Button>
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
  )
}
