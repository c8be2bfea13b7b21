import { MultiSelect, Select, Text } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { useHubNames, usePeopleNames } from "../tasks/people.ts"
import type { ActionFieldsProps } from "./ActionFields.tsx"
import { type Draft, eventKinds, type Person } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { PairRows } from "./PairRows.tsx"

const sameHub = "same"

/** Making a task, moving one, assigning one. */
export function TaskFields({ draft, catalogue, source, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
  const hubs = useHubNames()
  const makesTask = draft.action === "createTask" || draft.action === "createAssignTask"
  const assigns = draft.action === "createAssignTask" || draft.action === "assignTask"
  return (
    <>
      {makesTask ? (
        <Select
          label={t("targetFlow")}
          placeholder={t("choose")}
          required
          searchable
          data={catalogue.flows.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.targetFlowId || null}
          onChange={(targetFlowId) => change({ targetFlowId: targetFlowId ?? "", values: [] })}
        />
      ) : null}
      <Select
        label={t("hub")}
        placeholder={t("choose")}
        required
        searchable
        allowDeselect={false}
        data={[
          ...(makesTask ? [{ value: sameHub, label: t("sameHub") }] : []),
          ...[...hubs].map(([value, label]) => ({ value, label })),
        ]}
        value={draft.hubId || (makesTask ? sameHub : null)}
        onChange={(hubId) => change({ hubId: hubId === sameHub ? "" : (hubId ?? "") })}
      />
      {assigns ? <AssigneeFields draft={draft} change={change} /> : null}
      {makesTask && draft.targetFlowId ? (
        <div className="automation-values">
          <Text size="sm" className="quiet">
            {t("valuesText")}
          </Text>
          <PairRows
            pairs={draft.values}
            onChange={(values) => change({ values })}
            add={t("addValue")}
            fieldLabel={t("field")}
            fields={catalogue.fieldsOfFlow(draft.targetFlowId)}
            source={source}
          />
        </div>
      ) : null}
    </>
  )
}

const chosenHere = "chosen"

function AssigneeFields({ draft, change }: Pick<ActionFieldsProps, "draft" | "change">) {
  const t = useMessages(automationMessages)
  const people = usePeopleNames()
  // A task that was just made has nobody who finished it, and one that is assigned is being given already.
  const mayReassign =
    draft.action === "createAssignTask" &&
    eventKinds[draft.event] === "task" &&
    draft.event !== "onTaskAssigned"
  const choices = [
    { value: chosenHere, label: t("people") },
    { value: "assignee", label: t("ofAssignee") },
    { value: "assignedBy", label: t("ofAssignedBy") },
    ...(draft.event === "onTaskFinished" ? [{ value: "doneBy", label: t("ofDoneBy") }] : []),
  ]
  const reassignment: Draft["reassignment"] = mayReassign ? draft.reassignment : ""
  return (
    <>
      {mayReassign ? (
        <Select
          label={t("reassign")}
          data={choices}
          value={reassignment || chosenHere}
          allowDeselect={false}
          onChange={(value) => change({ reassignment: value === chosenHere ? "" : (value as Person) })}
        />
      ) : null}
      {reassignment === "" ? (
        <MultiSelect
          label={t("assignee")}
          required
          searchable
          data={[...people].map(([value, label]) => ({ value, label }))}
          value={draft.assignee}
          onChange={(assignee) => change({ assignee })}
        />
      ) : null}
    </>
  )
}
