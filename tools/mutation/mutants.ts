import { parseAst } from "rolldown/parseAst"

/** A small change of a source that its tests should notice. Offsets are in UTF-16 units. */
export interface Mutant {
  start: number
  end: number
  text: string
  line: number
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const otherOperators: Record<string, readonly string[]> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "<": ["<=", ">"],
  "<=": ["<", ">"],
  ">": [">=", "<"],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
}

const otherCalls: Record<string, string> = {
  every: "some",
  some: "every",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  toSorted: "slice",
  slice: "valueOf",
}

/**
 * Operators, constants, conditions and calls of a TypeScript source, each changed in turn. Functions that query the database
 * only where `withSql` is set, and then their SQL too.
 */
export function mutantsOf(source: string, withSql: boolean): Mutant[] {
  const mutants: Mutant[] = []
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length
  const add = (start: number, end: number, text: string) => {
    if (source.slice(start, end) !== text) mutants.push({ start, end, text, line: lineAt(start) })
  }
  const visit = (node: Node) => {
    if (node.type.startsWith("TS") && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return
    if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return
    // What a query returns is known to PostgreSQL alone, which pure tests do without.
    const isQuery =
      node.type === "FunctionDeclaration" && /\bsql[<`]/.test(source.slice(node.start, node.end))
    if (isQuery && !withSql) return
    changeNode(node, source, add)
    if (node.type === "TaggedTemplateExpression") changeSql(node, source, add)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
  }
  visit(parseAst(source, { lang: "ts" }) as unknown as Node)
  return mutants
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string"
}

type Add = (start: number, end: number, text: string) => void

function changeNode(node: Node, source: string, add: Add): void {
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression")
    changeOperator(node as Node & { left: Node; right: Node; operator: string }, source, add)
  if (node.type === "UnaryExpression" && node.operator === "!") add(node.start, node.start + 1, "")
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    const test = node.test as Node
    add(test.start, test.end, "false")
  }
  if (node.type === "Literal" && typeof node.value === "boolean")
    add(node.start, node.end, String(!node.value))
  if (node.type === "Literal" && typeof node.value === "number")
    add(node.start, node.end, String(node.value + 1))
  if (node.type === "CallExpression") {
    const callee = node.callee as Node
    const property = callee.property as (Node & { name?: string }) | undefined
    const other = property?.name === undefined ? undefined : otherCalls[property.name]
    if (property && other) add(property.start, property.end, other)
  }
}

function changeOperator(
  { left, right, operator }: { left: Node; right: Node; operator: string },
  source: string,
  add: Add,
): void {
  const between = source.slice(left.end, right.start)
  const at = left.end + between.indexOf(operator)
  if (!between.includes(operator)) return
  for (const other of otherOperators[operator] ?? []) add(at, at + operator.length, other)
}

const otherSql: Record<string, string> = {
  and: "or",
  or: "and",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "=": "<>",
  "+": "-",
  "-": "+",
  not: "",
  greatest: "least",
  least: "greatest",
  min: "max",
  max: "min",
  "union all": "union",
}
const sqlWords =
  /(?<=\s)(?:[<>]=?|=|[-+])(?=\s)|\b(?:union all|and|or|not|greatest|least|min|max|between|set|where|\d+)\b/g

/** The operators, functions and numbers of a query; assignments, and the `and` of `between`, stay. */
function changeSql(node: Node, source: string, add: Add): void {
  const { quasis } = node.quasi as { quasis: readonly Node[] }
  let clause = ""
  for (const { start, end } of quasis)
    for (const { 0: word, index } of source.slice(start, end).matchAll(sqlWords)) {
      const isBound = word === "and" && clause === "between"
      if (["between", "set", "where"].includes(word) || isBound) clause = isBound ? "where" : word
      else if (/^\d/.test(word)) add(start + index, start + index + word.length, String(Number(word) + 1))
      else if (word !== "=" || clause !== "set")
        add(start + index, start + index + word.length, otherSql[word] ?? word)
    }
}
