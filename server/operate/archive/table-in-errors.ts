import { CommandRefusal } from "../command.ts"

/**
 * Runs work that goes through tables, and names the table in the message of an error: "backing up tasks: lost the
 * connection to the database".
 */
export async function withTableInErrors<T>(
  doing: string,
  work: (at: (table: string | undefined) => void) => Promise<T>,
): Promise<T> {
  let current: string | undefined
  try {
    return await work((table) => {
      current = table
    })
  } catch (error) {
    if (current === undefined || error instanceof CommandRefusal) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandRefusal(`${doing} ${current}: ${reason}`, { cause: error })
  }
}
