/**
 * Which detectors look at what a tool says.
 */
import { DETECTOR_NAMES, type Detector, type DetectorName } from './detector.ts'
import { DEFAULT_DETECTORS } from './detectors.ts'

/** `default`: all detectors, `off`: none, else those named. An agent's own detectors always look, but for `off`. */
export type RedactionPolicy = 'default' | 'off' | { readonly detectors: readonly DetectorName[] }

/** What is wrong with a policy, as "FIELD RULE" behind the name of its own field; undefined when nothing is. */
export function policyProblem(
  policy: unknown,
): { readonly field: string; readonly rule: string } | undefined {
  if (policy === 'default' || policy === 'off') return undefined
  const shape = "must be 'default', 'off' or { detectors: […] }"
  if (typeof policy !== 'object' || policy === null) return { field: '', rule: shape }
  const unknown = Object.keys(policy).find((key) => key !== 'detectors')
  if (unknown !== undefined) return { field: `.${unknown}`, rule: `is not a field of it; it ${shape}` }
  const { detectors } = policy as { readonly detectors?: unknown }
  if (!Array.isArray(detectors) || detectors.length === 0)
    return { field: '.detectors', rule: "must name at least one detector; for none, use 'off'" }
  const index = detectors.findIndex((name) => !isDetectorName(name))
  if (index === -1) return undefined
  return { field: `.detectors[${index}]`, rule: `must be one of ${DETECTOR_NAMES.join(', ')}` }
}

function isDetectorName(name: unknown): name is DetectorName {
  return (DETECTOR_NAMES as readonly unknown[]).includes(name)
}

/** The detectors of a policy, the agent's own first. */
export function detectorsOf(policy: RedactionPolicy, own: readonly Detector[] = []): readonly Detector[] {
  if (policy === 'off') return []
  const named =
    policy === 'default'
      ? DEFAULT_DETECTORS
      : DEFAULT_DETECTORS.filter(({ name }) => policy.detectors.includes(name))
  return [...own, ...named]
}

/** What is wrong with a list of detectors that somebody wrote; undefined when nothing is. */
export function detectorsProblem(
  detectors: unknown,
): { readonly field: string; readonly rule: string } | undefined {
  if (!Array.isArray(detectors)) return { field: '', rule: 'must be a list of detectors' }
  for (const [index, detector] of detectors.entries()) {
    const { name, find } = (detector ?? {}) as { readonly name?: unknown; readonly find?: unknown }
    if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(name))
      return { field: `[${index}].name`, rule: 'must be 1 to 32 characters out of a-z 0-9 -, a letter first' }
    if (typeof find !== 'function') return { field: `[${index}].find`, rule: 'must be a function of a text' }
  }
  return undefined
}
