import type { Icon } from "@tabler/icons-react"

/** What the palette asks for next, to complete an action. */
export type Step =
  | { ask: "task"; action: "assign" | "setStatus" }
  | { ask: "person" | "status"; taskId: string; title: string }

export interface Command {
  id: string
  label: string
  icon: Icon
  /** Further words by which it is found. */
  terms?: string
  run?(): void
  next?: Step
}

export interface CommandGroup {
  label: string
  commands: readonly Command[]
  /** The server has searched already. */
  isFound?: boolean
}

const maxPerGroup = 6

/**
 * Of each group the commands that have all the words; those whose name begins with them come first, and a group first that has
 * something of exactly this name.
 */
export function matchingGroups(groups: readonly CommandGroup[], words: string): CommandGroup[] {
  const wanted = words.trim().toLowerCase().split(/\s+/)
  const isMatch = ({ label, terms = "" }: Command, group: string) => {
    const text = `${label} ${terms} ${group}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(wanted[0] ?? "") ? 0 : 1)
  const name = wanted.join(" ")
  const isNamed = ({ commands }: CommandGroup) => commands.some(({ label }) => label.toLowerCase() === name)
  return groups
    .map((group) => ({
      ...group,
      commands: (group.isFound
        ? group.commands
        : group.commands
            .filter((command) => isMatch(command, group.label))
            .toSorted((one, other) => rank(one) - rank(other))
      ).slice(0, maxPerGroup),
    }))
    .filter(({ commands }) => commands.length > 0)
    .toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
}
