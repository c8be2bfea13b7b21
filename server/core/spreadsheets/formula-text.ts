/**
 * Text that a spreadsheet program would run as a formula when it opens a CSV: it starts with = + - @, a tab or
 * a carriage return, perhaps behind apostrophes. An apostrophe in front makes it text for every program.
 * Numbers need none: `-12.5` is no formula.
 */
export function guardFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}

/** Takes back the apostrophe that guardFormula put in front, so that an exported file can be imported again. */
export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === 0x27 && /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}
