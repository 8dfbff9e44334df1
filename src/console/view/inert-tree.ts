/**
 * Texts of a document, made inert once more: a reference to a character (`&#x202e;`) is one only when it was read.
 */
import { inertText } from './inert-text.ts'

interface TreeNode {
  readonly type: string
  value?: string
  readonly children?: readonly TreeNode[]
}

/** A plugin of the Markdown's reader, for the tree that is shown. */
export function inertTree(): (tree: TreeNode) => void {
  return makeInert
}

/** Without recursion: what a model wrote may be nested as deep as it likes. */
function makeInert(tree: TreeNode): void {
  const open: TreeNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.value !== undefined) node.value = inertText(node.value)
    open.push(...(node.children ?? []))
  }
}
