import { type Environment, environment } from '../../config.ts'
import { type Check, type Finding, failed } from '../doctor/check.ts'
import { checkGateway } from '../doctor/check-gateway.ts'
import { checkDependencies, checkDisk, checkNode } from '../doctor/check-machine.ts'
import { checkConfig, checkModel, checkStore, checkTemporal } from '../doctor/check-services.ts'
import { EXIT } from '../exit-code.ts'
import type { CommonOptions } from '../options.ts'
import { printLine } from '../output/json-lines.ts'

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', note: 'note', wrong: 'FAIL' }

/** `turnstep doctor`: what is in order here, a line each, with what to do where something is wrong. */
export async function doctor({ json }: Pick<CommonOptions, 'json'>): Promise<number> {
  let isWell = true
  for (const check of checksOf()) {
    const finding = await check.run().catch(failed)
    if (finding.state === 'wrong') isWell = false
    if (json === true) printLine({ check: check.name, ...finding })
    else process.stdout.write(`${MARKS[finding.state]}  ${check.name}: ${sentenceOf(finding)}\n`)
  }
  return isWell ? EXIT.completed : EXIT.failed
}

function sentenceOf(finding: Finding): string {
  if (finding.state !== 'wrong' || finding.todo === '') return finding.said
  return `${finding.said}. ${finding.todo}`
}

function checksOf(): readonly Check[] {
  const settings = readEnvironment()
  const machine = [checkNode, checkDependencies]
  if ('failure' in settings)
    return [...machine, { name: 'Environment', run: async () => failed(settings.failure) }]
  return [
    ...machine,
    checkDisk(settings),
    checkStore(settings),
    checkTemporal(settings),
    checkConfig(process.cwd()),
    checkGateway(settings),
    checkModel(settings),
  ]
}

function readEnvironment(): Environment | { readonly failure: unknown } {
  try {
    return environment()
  } catch (failure) {
    return { failure }
  }
}
