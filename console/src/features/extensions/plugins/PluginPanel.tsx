import "./plugins.css"
import { Button, Progress, Text } from "@mantine/core"
import type { Block, Panel, Tone } from "./plugin-messages-in.ts"

const colours: Record<Tone, string> = { good: "pine", warning: "orange", bad: "red", quiet: "dimmed" }

/** What a plugin shows, rendered by the console: a plugin supplies texts and numbers, never markup. */
export function PluginPanel({
  panel,
  by,
  onPress,
}: {
  panel: Panel
  by: string
  onPress(buttonId: string): void
}) {
  return (
    <section aria-label={panel.title} className="plugin-panel">
      <h3 className="panel-heading">
        {panel.title} {by === panel.title ? null : <span className="quiet">{by}</span>}
      </h3>
      {panel.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, a panel is replaced as a whole
        <PanelBlock key={index} block={block} onPress={onPress} />
      ))}
    </section>
  )
}

function PanelBlock({ block, onPress }: { block: Block; onPress(buttonId: string): void }) {
  switch (block.type) {
    case "text":
      return (
        <Text size="sm" style={{ whiteSpace: "pre-line" }} {...(block.tone && { c: colours[block.tone] })}>
          {block.text}
        </Text>
      )
    case "facts":
      return (
        <dl className="facts">
          {block.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )
    case "progress":
      return (
        <div>
          <Text size="sm">{block.label}</Text>
          <Progress value={block.value * 100} aria-label={block.label} mt={4} />
        </div>
      )
    case "table":
      return (
        <div style={{ overflowX: "auto" }}>
          <table className="plain-table">
            <thead>
              <tr>
                {block.columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows come without an identity
                <tr key={index}>
                  {row.map((cell, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their column
                    <td key={at}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case "button":
      return (
        <div>
          <Button size="xs" variant="default" onClick={() => onPress(block.id)}>
            {block.title}
          </Button>
        </div>
      )
  }
}
