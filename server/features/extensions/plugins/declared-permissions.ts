import { permissionCatalogue } from "#core/permissions.ts"
import { pluginErrors } from "./errors.ts"

/** Declarations are at the top: nobody should have to read megabytes to see what a plugin wants. */
const headCharacters = 4000

/**
 * The permissions that a script asks for in a comment near its beginning, separated by commas or spaces:
 * `// @permissions view/task, view/hub`. None without such a line. Throws 400 for a name that does not exist.
 */
export function declaredPermissions(content: Buffer): string[] {
  const head = content.toString("utf8").slice(0, headCharacters)
  const line = /^[ \t]*(?:\/\/|\/?\*+)[ \t]*@permissions[ \t]+(.*)$/m.exec(head)?.[1] ?? ""
  const names = line
    .split("*/", 1)
    .join("")
    .split(/[\s,]+/)
    .filter((name) => name !== "")
  for (const name of names)
    if (!(name in permissionCatalogue))
      throw pluginErrors.badPermission({
        message: `The permission ${name.slice(0, 60)} does not exist`,
        fields: { resourceFile: [`requests ${name.slice(0, 60)}`] },
      })
  return [...new Set(names)].toSorted()
}
