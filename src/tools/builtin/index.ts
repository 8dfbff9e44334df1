import type { Tool } from '../define-tool.ts'
import { grepTool } from './grep.ts'
import { grepSpillTool } from './grep-spill.ts'
import { JailedFolder } from './jailed-folder.ts'
import { listFilesTool } from './list-files.ts'
import { readFileTool } from './read-file.ts'
import { readSpillTool } from './read-spill.ts'

export { calculator } from './calculator.ts'
export { currentTime, currentTimeTool } from './current-time.ts'
export { type HttpFetchOptions, type HttpMethod, httpFetch } from './http-fetch/http-fetch.ts'
export { type WriteFileOptions, writeFile } from './write-file.ts'

/**
 * `list_files`, `read_file` and `grep` on one folder, which nothing outside can be read through: neither by
 * `..`, nor by an absolute path, nor by a symbolic link. Fails with `invalid-config` when there is no such folder.
 */
export function folderTools(options: {
  readonly root: string
}): readonly [listFiles: Tool, readFile: Tool, grep: Tool] {
  const folder = new JailedFolder(options.root)
  return [listFilesTool(folder), readFileTool(folder), grepTool(folder)]
}

/** `grep_spill` and `read_spill`, in this order, for agents whose tools may return more than a model can read. */
export const spillTools: readonly Tool[] = [grepSpillTool, readSpillTool]
