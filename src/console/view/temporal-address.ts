import { workflowIdOf } from '../../core/ids.ts'
import type { ConsoleConfig } from '../api/answers.ts'
import { safeAddress } from './safe-address.ts'

/** Where Temporal's UI shows the run of a Turn; undefined when there is none, or none is known. */
export function temporalAddressOf(
  config: ConsoleConfig | undefined,
  session: string,
  runId: string,
): string | undefined {
  if (config?.temporalUiUrl === undefined || runId === '') return undefined
  const base = safeAddress(config.temporalUiUrl)?.replace(/\/+$/, '')
  if (base === undefined || base.startsWith('mailto:')) return undefined
  const workflowId = encodeURIComponent(workflowIdOf({ tenant: config.tenant, session }))
  return `${base}/namespaces/${encodeURIComponent(config.namespace)}/workflows/${workflowId}/${encodeURIComponent(runId)}/history`
}
