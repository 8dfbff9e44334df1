/** Workflow functions of the bundle, and nothing else. */
export { notifyWorkflow } from './notify.ts'
export { turnWorkflow } from './turn.ts'
