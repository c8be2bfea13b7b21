import { Button, Group } from "@mantine/core"
import { PluginPanel } from "./PluginPanel.tsx"
import { useContributions } from "./plugin-store.ts"

/** The buttons and panels that plugins add to an open task. */
export function TaskPlugins({ taskId }: { taskId: string }) {
  const contributions = [...useContributions().values()]
  const actions = contributions.flatMap((contribution) =>
    contribution.actions.map((action) => ({ ...action, contribution })),
  )
  return (
    <>
      {actions.length > 0 ? (
        <Group gap="xs">
          {actions.map(({ id, title, contribution }) => (
            <Button
              key={`${contribution.pluginId} ${id}`}
              size="xs"
              variant="default"
              onClick={() => contribution.notify("action", { id, task: taskId })}
            >
              {title}
            </Button>
          ))}
        </Group>
      ) : null}
      {contributions.flatMap(({ pluginId, name, panels, notify }) =>
        panels
          .filter(({ place, task }) => place === "task" && task === taskId)
          .map((panel) => (
            <PluginPanel
              key={pluginId}
              panel={panel}
              by={name}
              onPress={(id) => notify("press", { id, place: "task", task: taskId })}
            />
          )),
      )}
    </>
  )
}
