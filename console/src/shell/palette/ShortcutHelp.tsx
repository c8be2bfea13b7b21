import "./palette.css"
import { Stack, Switch } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { OpenModal } from "../../ui/layout/OpenModal.tsx"
import { shellMessages } from "../messages.ts"
import { navigation } from "../navigation.ts"
import { areShortcutsOn, switchShortcuts } from "../shortcuts.ts"
import { paletteMessages } from "./palette-messages.ts"

/** Every key that does something, and the switch for those that are a single letter. */
export default function ShortcutHelp({ onClose }: { onClose(): void }) {
  const t = useMessages(paletteMessages)
  const tShell = useMessages(shellMessages)
  const session = useSession()
  const [isOn, setOn] = useState(areShortcutsOn)
  const pages = navigation.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.key && entry.isOffered(session) ? [{ keys: ["G", entry.key], text: tShell(entry.label) }] : [],
    ),
  )
  const groups = [
    {
      title: t("keysAnywhere"),
      rows: [
        { keys: ["Ctrl", "K"], text: t("title") },
        ...(session.may("add/task") ? [{ keys: ["C"], text: t("newTask") }] : []),
        { keys: ["?"], text: t("keys") },
      ],
    },
    {
      title: t("keysTable"),
      rows: [
        { keys: ["↑", "↓"], text: t("keyRow") },
        { keys: [t("space")], text: t("keySelect") },
        { keys: ["Ctrl", "A"], text: t("keySelectAll") },
        { keys: ["Enter"], text: t("keyOpen") },
        { keys: ["J", "K"], text: t("keyStep") },
      ],
    },
    { title: t("keysPages"), rows: pages },
  ]
  return (
    <OpenModal onClose={onClose} title={t("keys")} size={640} closeButtonProps={{ "aria-label": t("close") }}>
      <Stack gap="md">
        <Switch
          label={t("keysOn")}
          description={t("keysOnText")}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            switchShortcuts(checked)
            setOn(checked)
          }}
        />
        <div className="keys">
          {groups.map(({ title, rows }) => (
            <section key={title} aria-label={title}>
              <h3 className="panel-heading">{title}</h3>
              <dl>
                {rows.map(({ keys, text }) => (
                  <div key={text}>
                    <dt>{text}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </Stack>
    </OpenModal>
  )
}
