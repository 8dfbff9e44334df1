/** Runs `use` over items, `width` at a time, and keeps their order. */
export async function mapInOrder<T, R>(
  items: readonly T[],
  width: number,
  use: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += width) {
    results.push(...(await Promise.all(items.slice(start, start + width).map(use))))
  }
  return results
}
