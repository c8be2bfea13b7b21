import "../../../ui/StatusBadge.css"
import "./tokens.css"
import { Button, Checkbox, Group } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { tokenMessages } from "./messages.ts"
import type { Scope } from "./tokens.queries.ts"

export interface ScopeChoiceProps {
  scopes: readonly Scope[]
  chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}

/** The permissions that the person has, by what they are about, to be ticked. */
export function ScopeChoice({ scopes, chosen, onChange }: ScopeChoiceProps) {
  const t = useMessages(tokenMessages)
  const [words, setWords] = useState("")
  const wanted = words.trim().toLowerCase()
  const shown = scopes.filter(({ name, label }) => `${label} ${name}`.toLowerCase().includes(wanted))
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    onChange(next)
  }
  const onlyReading = () =>
    onChange(new Set(scopes.map(({ name }) => name).filter((name) => name.startsWith("view/"))))
  return (
    <div className="scope-choice">
      <Group gap="xs" mb="xs">
        <SearchInput label={t("search")} value={words} onChange={setWords} style={{ flex: "1 1 160px" }} />
        <Button size="compact-sm" variant="default" onClick={onlyReading}>
          {t("onlyReading")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onChange(new Set())}>
          {t("clear")}
        </Button>
      </Group>
      <fieldset className="scope-list" aria-label={t("chosen")}>
        {[...Map.groupBy(shown, ({ menu }) => menu)].map(([menu, entries]) => (
          <div key={menu} className="scope-group">
            {entries.map(({ name, label }) => (
              <Checkbox
                key={name}
                size="xs"
                label={
                  <>
                    {label} <code className="quiet matrix-name">{name}</code>
                  </>
                }
                checked={chosen.has(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </div>
        ))}
        {shown.length === 0 ? <p className="quiet">{t("nothingFound")}</p> : null}
      </fieldset>
      <p className="quiet scope-count" role="status">
        {t("count", { count: chosen.size })}
      </p>
    </div>
  )
}
