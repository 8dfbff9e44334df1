/**
 * Rules for the `tools` of a request.
 */
import { FUNCTION_NAME, isRecord, type Report } from './violation.ts'

export function findToolViolations(tools: unknown, report: Report): void {
  if (tools === undefined) return
  if (!Array.isArray(tools) || tools.length === 0) {
    report('tools', 'tools', 'must be left out or be a non-empty array')
    return
  }
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${index}]`
    const definition = isRecord(tool) && tool['type'] === 'function' ? tool['function'] : undefined
    if (!isRecord(definition)) {
      report('tools', path, 'must be { type: "function", function: { … } }')
      continue
    }
    const { name, description, parameters } = definition
    if (typeof name !== 'string' || !FUNCTION_NAME.test(name))
      report('tools', `${path}.function.name`, `must match ${FUNCTION_NAME}`)
    else if (names.has(name)) report('tools', `${path}.function.name`, `names ${name} a second time`)
    else names.add(name)
    if (description !== undefined && typeof description !== 'string')
      report('tools', `${path}.function.description`, 'must be a string')
    if (parameters !== undefined && (!isRecord(parameters) || parameters['type'] !== 'object')) {
      report('tools', `${path}.function.parameters`, 'must be a JSON Schema of type object')
    }
  }
}
