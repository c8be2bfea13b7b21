import "@mantine/spotlight/styles.css"
import "./palette.css"
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight"
import { IconSearch } from "@tabler/icons-react"
import { useEffect, useMemo, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { type Command, matchingGroups, type Step } from "./commands.ts"
import { paletteMessages } from "./palette-messages.ts"
import { useCommands } from "./use-commands.ts"
import { useStepCommands } from "./use-step-commands.ts"

const listId = "palette-list"

interface CommandPaletteProps {
  words: string
  onWords(words: string): void
  onClose(): void
}

/** Every page, everything with a name and the most frequent actions, reached by typing a few letters. */
export default function CommandPalette({ words, onWords, onClose }: CommandPaletteProps) {
  const t = useMessages(paletteMessages)
  const [[store, palette]] = useState(createSpotlight)
  const [step, setStep] = useState<Step>()
  const { selected } = useSpotlight(store)
  const offered = useCommands(words)
  const choices = useStepCommands(step, words)
  const groups = useMemo(() => {
    const isEmpty = words.trim() === ""
    return matchingGroups(step ? choices : isEmpty ? offered.slice(0, 2) : offered, words)
  }, [step, choices, offered, words])
  const shown = groups.flatMap(({ commands }) => commands)
  const ids = shown.map(({ id }) => id).join()
  useEffect(() => palette.open(), [palette])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results begin with the first again
  useEffect(() => {
    const actions = document.querySelectorAll(`#${listId} [data-action]`)
    for (const [index, action] of actions.entries()) action.toggleAttribute("data-selected", index === 0)
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [ids, store])
  const choose = (command: Command) => {
    command.run?.()
    setStep(command.next)
    onWords("")
  }
  const placeholder = step
    ? t(step.ask === "task" ? "whichTask" : step.ask === "person" ? "whichPerson" : "whichStatus", {
        title: step.ask === "task" ? "" : step.title,
      })
    : t("placeholder")
  return (
    <Spotlight.Root
      store={store}
      query={words}
      onQueryChange={onWords}
      shortcut={null}
      centered={false}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.35 }}
      scrollable
      maxHeight="60vh"
      onSpotlightClose={onClose}
      attributes={{ content: { "aria-label": t("title") } }}
    >
      <Spotlight.Search
        aria-label={placeholder}
        placeholder={placeholder}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown.length > 0 ? `${listId}-${selected}` : undefined}
        onKeyDown={(event) => {
          if (event.key === "Backspace" && words === "") setStep(undefined)
        }}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label={t("title")}>
        {groups.map(({ label, commands }) => (
          <Spotlight.ActionsGroup key={label} label={label} role="group" aria-label={label}>
            {commands.map((command) => {
              const index = shown.indexOf(command)
              return (
                <Spotlight.Action
                  key={command.id}
                  role="option"
                  aria-selected={index === selected}
                  renderRoot={(props) => <button {...props} type="button" id={`${listId}-${index}`} />}
                  label={command.label}
                  leftSection={<command.icon size={18} stroke={1.7} aria-hidden />}
                  closeSpotlightOnTrigger={command.next === undefined}
                  onClick={() => choose(command)}
                />
              )
            })}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      {shown.length === 0 ? <Spotlight.Empty>{t("nothing")}</Spotlight.Empty> : null}
      <Spotlight.Footer className="quiet palette-help">{t(step ? "stepHelp" : "help")}</Spotlight.Footer>
    </Spotlight.Root>
  )
}
