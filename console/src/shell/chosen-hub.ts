import { useSearch } from "@tanstack/react-router"

/** The hub that the console is narrowed to; it is part of the address, so a link shows the same. */
export function useChosenHub(): string | undefined {
  return useSearch({ strict: false }).hub
}
