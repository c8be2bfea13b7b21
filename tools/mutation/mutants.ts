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

/** Operators, constants, conditions and calls of a TypeScript source, each changed in turn. */
export function mutantsOf(source: string): Mutant[] {
  const mutants: Mutant[] = []
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length
  const add = (start: number, end: number, text: string) => {
    if (source.slice(start, end) !== text) mutants.push({ start, end, text, line: lineAt(start) })
  }
  const visit = (node: Node) => {
    if (node.type.startsWith("TS") && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return
    if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return
    // What a query returns is known to PostgreSQL alone, which pure tests do without.
    if (node.type === "FunctionDeclaration" && /\bsql[<`]/.test(source.slice(node.start, node.end))) return
    changeNode(node, source, add)
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
