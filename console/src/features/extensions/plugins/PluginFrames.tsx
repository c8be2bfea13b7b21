import { useQuery } from "@tanstack/react-query"
import { useLocation } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { useLanguage } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { type HostedPlugin, hostPlugin, type PluginPlace } from "./plugin-host.ts"
import { type RunningPlugin, runningPluginsQuery } from "./plugins.queries.ts"

/** The frames of all running plugins. They are never seen: what a plugin shows, the console draws. */
export default function PluginFrames() {
  const { data: plugins = [] } = useQuery(runningPluginsQuery)
  return plugins.map((plugin) => (
    // With other permissions the plugin is restarted.
    <PluginFrame key={`${plugin.id} ${plugin.permissions.join()}`} plugin={plugin} />
  ))
}

function PluginFrame({ plugin }: { plugin: RunningPlugin }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hosted = useRef<HostedPlugin>(undefined)
  // The signature in the address changes with each response, which must not reload the frame.
  const [address] = useState(plugin.frameUrl)
  const [isStopped, setStopped] = useState(false)
  const place = usePlace()
  const me = useMe()
  const present = useRef({ place, me, plugin })
  present.current = { place, me, plugin }

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const opened = hostPlugin({
      plugin: present.current.plugin,
      frame: element,
      me: () => present.current.me,
      place: () => present.current.place,
      onStop: () => setStopped(true),
    })
    hosted.current = opened
    // Loaded only once the listener is in place: its first message is sent once.
    element.src = address
    return () => opened.stop()
  }, [address])
  useEffect(() => hosted.current?.move(place), [place])

  if (isStopped) return null
  return (
    <iframe
      ref={frame}
      title={plugin.name}
      sandbox="allow-scripts"
      allow=""
      referrerPolicy="no-referrer"
      tabIndex={-1}
      aria-hidden
      style={{ display: "none" }}
    />
  )
}

function usePlace(): PluginPlace {
  const { pathname, search } = useLocation()
  const { task = null, hub = null } = search as { task?: string; hub?: string }
  const [place, setPlace] = useState<PluginPlace>({ path: pathname, task, hub })
  if (place.path !== pathname || place.task !== task || place.hub !== hub)
    setPlace({ path: pathname, task, hub })
  return place
}

function useMe(): Record<string, unknown> {
  const { user, organization, roleName } = useSession()
  const { language } = useLanguage()
  return {
    name: user.name,
    email: user.email,
    role: roleName,
    language,
    timeZone: organization.timeZone,
    organization: organization.name,
  }
}
