/** Workflow functions of the bundle, and nothing else. */
export { turnWorkflow } from './turn.ts'
