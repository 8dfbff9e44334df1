/**
 * The tools of one agent, behind the core's port.
 */
import { describeThrown } from '../core/describe-tool-error.ts'
import { TurnstepError } from '../core/errors.ts'
import type { ToolHost, Validation } from '../core/ports.ts'
import { clip } from '../core/printable-text.ts'
import { internalsOf, type Tool, type ToolInternals } from './define-tool.ts'

/**
 * A host over tools in the order given. Fails with `invalid-config` on something that is not a tool and on a
 * name that is taken.
 *
 * `validate` runs nothing but the schema's own checks, and answers `invalid` for a tool that is not there and for
 * a schema that throws. `run` trusts its arguments; for a tool that is not there it fails with `internal`.
 */
export function createToolHost(tools: readonly Tool[]): ToolHost {
  const byName = index(tools)
  const descriptions = deepFreeze([...byName.values()].map(({ description }) => description))
  return {
    describe: () => descriptions,
    validate: async (name, args) => {
      const tool = byName.get(name)
      return tool === undefined ? invalid(unknownTool(name, [...byName.keys()])) : validate(tool, args)
    },
    run: async (name, args, context) => {
      const tool = byName.get(name)
      if (tool === undefined)
        throw new TurnstepError('internal', `There is no tool ${clip(name, 80)} to run.`)
      return tool.run(args, context)
    },
    preview: async (name, args, context) => byName.get(name)?.preview(args, context),
    shape: (name, result, args) => {
      const tool = byName.get(name)
      return tool === undefined ? result : tool.shape(result, args)
    },
  }
}

function index(tools: readonly Tool[]): ReadonlyMap<string, ToolInternals> {
  const byName = new Map<string, ToolInternals>()
  for (const [position, tool] of tools.entries()) {
    const internals = internalsOf(tool)
    if (internals === undefined) {
      throw new TurnstepError('invalid-config', `tools[${position}] must be a tool made by defineTool.`)
    }
    const { name } = internals.description
    if (byName.has(name))
      throw new TurnstepError('invalid-config', `Tool ${JSON.stringify(name)}: name is used by two tools.`)
    byName.set(name, internals)
  }
  return byName
}

async function validate(tool: ToolInternals, args: unknown): Promise<Validation> {
  try {
    const checked = await tool.check(args)
    if (checked.kind === 'invalid') return checked
    return { kind: 'valid', args: checked.args, risk: tool.riskOf(checked.args) }
  } catch (error) {
    return invalid(`The arguments could not be checked, nothing was run: ${describeThrown(error, 300)}`)
  }
}

function invalid(problem: string): Validation {
  return { kind: 'invalid', problem }
}

function unknownTool(name: string, names: readonly string[]): string {
  const there = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return clip(`There is no tool ${clip(name, 80).toWellFormed()}. ${there}`, 500)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
