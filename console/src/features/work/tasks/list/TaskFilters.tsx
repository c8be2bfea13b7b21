import { Select, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { IconSearch, IconX } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { taskPriorities } from "#shared/task-priorities.ts"
import { taskStatuses } from "#shared/task-status.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { FilterBuilder } from "../../../../ui/filters/FilterBuilder.tsx"
import { SavedViews } from "../../../people/saved-views/SavedViews.tsx"
import type { Flow } from "../../flows/flows.queries.ts"
import { outcomeMessages } from "../../outcome-messages.ts"
import { labelMessages } from "../label-messages.ts"
import { taskMessages } from "../messages.ts"
import { useTaskFilterFields } from "./filter-fields.ts"
import { TimeFilter } from "./TimeFilter.tsx"
import { outcomeFilters, readTaskSearch, type TaskSearch } from "./task-search.ts"

interface TaskFiltersProps {
  search: TaskSearch
  flows: readonly Flow[]
  people: ReadonlyMap<string, string>
  onChoose(saved: TaskSearch): void
  onChange(change: { [Key in keyof TaskSearch]?: TaskSearch[Key] | undefined }): void
}

const searchDelayMilliseconds = 250
const noFilter = {
  status: undefined,
  outcome: undefined,
  flowId: undefined,
  priority: undefined,
  tags: undefined,
  assignee: undefined,
  q: undefined,
  filter: undefined,
  from: undefined,
  to: undefined,
  timeBy: undefined,
}

/** What narrows the list. Each choice is written to the address immediately, search words after a pause. */
export default function TaskFilters({ search, flows, people, onChange, onChoose }: TaskFiltersProps) {
  const t = useMessages(taskMessages)
  const tOutcome = useMessages(outcomeMessages)
  const tLabel = useMessages(labelMessages)
  const [words, setWords] = useState(search.q ?? "")
  useEffect(() => setWords(search.q ?? ""), [search.q])
  const searchLater = useDebouncedCallback(
    (q: string) => onChange({ q: q.trim() || undefined }),
    searchDelayMilliseconds,
  )
  const tagsLater = useDebouncedCallback(
    (tags: string) => onChange({ tags: tags.trim() || undefined }),
    searchDelayMilliseconds,
  )
  const fields = useTaskFilterFields(flows, people)
  const { task: _open, create: _form, ...saved } = search
  const isFiltered = Object.keys(noFilter).some((name) => search[name as keyof TaskSearch] !== undefined)
  return (
    <>
      <TextInput
        aria-label={t("search")}
        placeholder={t("search")}
        leftSection={<IconSearch size={16} />}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value)
          searchLater(event.currentTarget.value)
        }}
        w={210}
      />
      <Select
        comboboxProps={{ width: "max-content" }}
        aria-label={t("status")}
        placeholder={t("allStatuses")}
        clearable
        data={taskStatuses.map((value) => ({ value, label: t(value) }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: taskStatuses.find((status) => status === value) })}
        w={140}
      />
      <Select
        comboboxProps={{ width: "max-content" }}
        aria-label={tOutcome("outcome")}
        placeholder={tOutcome("anyOutcome")}
        clearable
        data={outcomeFilters.map((value) => ({ value, label: tOutcome(value) }))}
        value={search.outcome ?? null}
        onChange={(value) => onChange({ outcome: outcomeFilters.find((name) => name === value) })}
        w={150}
      />
      <Select
        comboboxProps={{ width: "max-content" }}
        aria-label={t("assignee")}
        placeholder={t("anybody")}
        clearable
        searchable
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={search.assignee ?? null}
        onChange={(value) => onChange({ assignee: value ?? undefined })}
        w={160}
      />
      {flows.length > 1 ? (
        <Select
          comboboxProps={{ width: "max-content" }}
          aria-label={t("flow")}
          placeholder={t("allFlows")}
          clearable
          searchable={flows.length > 8}
          data={flows.map((flow) => ({ value: flow._id, label: flow.name }))}
          value={search.flowId ?? null}
          onChange={(value) => onChange({ flowId: value ?? undefined })}
          w={150}
        />
      ) : null}
      {search.priority === undefined ? null : (
        <Select
          comboboxProps={{ width: "max-content" }}
          aria-label={tLabel("priority")}
          placeholder={tLabel("anyPriority")}
          clearable
          data={taskPriorities.map((value) => ({ value, label: tLabel(value) }))}
          value={search.priority ?? null}
          onChange={(value) => onChange({ priority: taskPriorities.find((name) => name === value) })}
          w={130}
        />
      )}
      {search.tags === undefined ? null : (
        <TextInput
          key={`tags-${search.tags === undefined}`}
          aria-label={tLabel("tags")}
          placeholder={tLabel("anyTag")}
          defaultValue={search.tags ?? ""}
          onChange={(event) => tagsLater(event.currentTarget.value)}
          w={110}
        />
      )}
      <TimeFilter search={search} onChange={onChange} />
      <FilterBuilder fields={fields} filter={search.filter} onChange={(filter) => onChange({ filter })} />
      {isFiltered ? (
        <IconButton
          icon={IconX}
          label={t("clearFilters")}
          title={t("clearFilters")}
          className="clear-filters"
          size={36}
          onClick={() => onChange(noFilter)}
        />
      ) : null}
      <SavedViews list="tasks" content={saved} onChoose={(content) => onChoose(readTaskSearch(content))} />
    </>
  )
}
