/** What begins a formula, also in the full-width forms that some programs read alike, or what ends the cell before it. */
const formula = /^'*[=+\-@;\t\r\uff1d\uff0b\uff0d\uff20]/
const apostropheAndFormula = /^'+[=+\-@;\t\r\uff1d\uff0b\uff0d\uff20]/

/**
 * Text that a spreadsheet program would run as a formula when it opens a CSV: it starts with = + - @ or their
 * full-width forms, a semicolon, a tab or a carriage return, perhaps behind apostrophes. An apostrophe in front makes it text for every program.
 * Numbers need none: `-12.5` is no formula.
 */
export function guardFormula(text: string): string {
  return formula.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}

/** Takes back the apostrophe that guardFormula put in front, so that an exported file can be imported again. */
export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === 0x27 && apostropheAndFormula.test(text) ? text.slice(1) : text
}
